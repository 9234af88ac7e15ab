/** Elements that submit on a click: buttons of forms, and other marked ones. */
const sending = 'button[type="submit"], button[data-sends]';

/**
 * The second click of a double click asks for nothing new. The first one may have been answered by then, and its button be ready again: a
 * table that was created was sent once more, and refused because all of it was there.
 */
export function ignoreSecondClicks(): void {
  document.addEventListener(
    'click',
    (event) => {
      if (event.detail < 2 || !(event.target instanceof Element) || event.target.closest(sending) === null) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
