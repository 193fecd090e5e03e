// Runs before the page is drawn. The Developer area's library stores the chosen colour scheme under this name.

const stored = "mantine-color-scheme-value";
const root = document.documentElement;

function showColours() {
  root.dataset.colours = localStorage.getItem(stored) ?? "auto";
  const choice = document.querySelector(`.colours [value="${root.dataset.colours}"]`);
  if (choice) choice.checked = true;
}

showColours();
addEventListener("DOMContentLoaded", () => {
  showColours();
  document.querySelector(".colours").addEventListener("change", ({ target }) => {
    localStorage.setItem(stored, target.value);
    showColours();
  });
});
addEventListener("storage", showColours);
