// Before the first paint: at night a flash of the other theme hurts. src/theme/theme.ts writes this key.
(() => {
  const theme = localStorage.getItem("trainwatch.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
})();
