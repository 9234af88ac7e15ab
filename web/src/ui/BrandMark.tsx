import { useState } from 'react';
import type { Branding } from '../../../shared/app.ts';
import classes from './BrandMark.module.css';

interface BrandMarkProps {
  branding: Pick<Branding, 'logoUrl'>;
  /** Height in px. */
  size: number;
}

/** The customer's logo, or a bolt on the primary color. Decorative: the name is beside it. */
export function BrandMark({ branding: { logoUrl }, size }: BrandMarkProps) {
  const [brokenUrl, setBrokenUrl] = useState('');
  if (logoUrl !== '' && logoUrl !== brokenUrl) {
    return (
      <img
        src={logoUrl}
        alt=""
        className={classes.logo}
        style={{ height: size, maxWidth: size * 4 }}
        onError={() => setBrokenUrl(logoUrl)}
      />
    );
  }
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} className={classes.mark} aria-hidden>
      <rect width="32" height="32" rx="9" className={classes.ground} />
      <path d="M17.5 5.5 8.5 17.8h6L13.2 26.5l9.3-12.6h-6.3z" className={classes.bolt} />
    </svg>
  );
}
