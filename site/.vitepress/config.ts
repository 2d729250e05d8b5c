import { defineConfig } from "vitepress";
import sidebar from "./sidebar.json" with { type: "json" };

export default defineConfig({
  title: "Manifold",
  description: "One generation backend behind three drop-in API surfaces.",
  srcDir: ".pages",
  outDir: "dist",
  cleanUrls: true,
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: "https://github.com/manifold-gateway/manifold" }],
  },
});
