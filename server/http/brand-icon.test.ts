import { expect, it } from 'vitest';
import { brandIcon } from './brand-icon.rules.ts';

it('accepts only a hex color', () => {
  for (const color of ['red', '"/><script>alert(1)</script>', '#12345', '#0b7285"', '']) {
    expect(brandIcon(color)).toBe(brandIcon('#0b7285'));
  }
});
