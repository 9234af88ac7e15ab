/**
 * Copies the text and tells whether that worked. Browsers offer their clipboard only over https and on the own machine; a
 * portal in a plain local network has to select a text and copy the selection. `near` keeps that inside an open dialog,
 * which would take the focus back from anything outside of it.
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text, near);
  }
}

function copySelection(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  near.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  near.focus();
  return isCopied;
}
