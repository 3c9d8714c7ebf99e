// Before any chart: uPlot asks Intl for the browser's language as it loads. Chromium under LANG=C names "en-US@posix", which Intl refuses, and the page would be lost.
(() => {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US" });
  }
})();
