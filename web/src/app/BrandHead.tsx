import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Branding } from '../../../shared/app.ts';
import { currentUserQuery } from '../lib/current-user.ts';
import { keepForFirstPaint } from '../lib/first-paint.ts';
import { filledColor } from '../ui/tokens/palette.ts';

/** The logo, or a bolt on the primary color where there is none. */
export function faviconOf({ logoUrl, primaryColor }: Pick<Branding, 'logoUrl' | 'primaryColor'>): string {
  if (logoUrl !== '') return logoUrl;
  const { background, text } = filledColor(primaryColor);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="8" fill="${background}"/><path d="M17.5 5 8 18h6.5L13 27l10-13.5h-6.5z" fill="${text}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Keeps the tab's icon in the brand, and the next load's first look. The title is set by the shell, which knows the page. */
export function BrandHead({ branding }: { branding: Branding }) {
  const href = faviconOf(branding);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link !== null) link.href = href;
  }, [href]);
  const user = useQuery(currentUserQuery).data;
  useEffect(() => {
    if (user !== undefined) keepForFirstPaint(branding, user !== null);
  }, [branding, user]);
  return null;
}
