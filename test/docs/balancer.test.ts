import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { placeOf, type Snippet, snippets } from "./pages.ts";

/** Without it the test is skipped. */
const missing = ["nginx", "openssl"].find((name) => spawnSync(name, ["-v"]).error !== undefined);
const cases = snippets.filter(({ language }) => language === "nginx");

it.skipIf(missing).each(cases.map((snippet): [string, Snippet] => [placeOf(snippet), snippet]))(
  "nginx takes the configuration at %s",
  (_, { text }) => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-nginx-"));
    try {
      const [key, certificate, file] = ["key.pem", "cert.pem", "nginx.conf"].map((name) =>
        join(folder, name),
      );
      const subject = ["-subj", "/CN=localhost", "-keyout", `${key}`, "-out", `${certificate}`];
      execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject], {
        stdio: "pipe",
      });
      const tls = `ssl_certificate ${certificate}; ssl_certificate_key ${key};`;
      writeFileSync(`${file}`, `pid ${folder}/pid; events {} http { ${tls}\n${text}\n}`);
      const { stderr } = spawnSync("nginx", ["-t", "-e", "stderr", "-p", folder, "-c", `${file}`], {
        encoding: "utf8",
      });
      expect(stderr).toContain("test is successful");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
