/** Three lines that become one: the sign of the service. */
export const Logo = () => (
  <svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M3 4.5c5 0 5 5.5 9 5.5M3 10h9M3 15.5c5 0 5-5.5 9-5.5M12 10h5" />
  </svg>
);
