// Copy buttons, and fields that a click selects. Parts with data-script need scripts, so they are hidden without them.
export function showScripted() {
  for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
}

async function copy(button) {
  const field = button.closest(".copy").querySelector("input");
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {                                                        // browsers allow it on encrypted pages only
    field.select();
    document.execCommand("copy");
  }
  button.textContent = button.dataset.copied;
}

document.addEventListener("click", (event) => {
  event.target.closest("input[data-select]")?.select();
  const button = event.target.closest("button[data-copy]");
  if (button) copy(button);
});

// A choice that changes the form around it
document.addEventListener("change", (event) => {
  const form = event.target.closest("select[data-change]")?.form;
  form?.requestSubmit(form.querySelector("button[name=change]"));
});

showScripted();
