const hexColor = /^#(?:[0-9a-f]{3}){1,2}$/i;

/** A bolt on the primary color, as a picture of any size; neutral where the color is not a hex color. */
export function brandIcon(primaryColor: string): string {
  const ground = hexColor.test(primaryColor) ? primaryColor : '#0b7285';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" fill="${ground}"/><path d="M17.5 5 8 18h6.5L13 27l10-13.5h-6.5z" fill="${inkOn(ground)}"/></svg>`
  );
}

/** White, or dark where white has less than 3:1 (WCAG 1.4.11). */
function inkOn(hex: string): string {
  const digits = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gi, '$&$&') : hex;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 1.05 / (luminance + 0.05) >= 3 ? '#ffffff' : '#111418';
}
