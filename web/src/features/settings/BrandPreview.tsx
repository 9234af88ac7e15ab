import { useMantineTheme } from '@mantine/core';
import { IconChartLine, IconLayoutDashboard } from '@tabler/icons-react';
import { useMemo, type CSSProperties } from 'react';
import { useTranslations } from 'use-intl';
import type { Branding } from '../../../../shared/app.ts';
import { useFormat } from '../../lib/use-format.ts';
import { BrandMark } from '../../ui/BrandMark.tsx';
import { createBrandTheme } from '../../ui/tokens/theme.ts';
import classes from './BrandPreview.module.css';

/** A day of an office, in the height of the drawing. */
const curve =
  'M0 34 C12 34 18 33 26 32 S40 27 48 16 S64 6 74 8 S92 14 102 10 S122 8 130 14 S150 30 160 32 S190 34 200 34';

/** The portal in small, in both appearances, with the very colors that the branding would give it. */
export function BrandPreview({ branding }: { branding: Branding }) {
  const t = useTranslations('settings.branding.preview');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const theme = useMantineTheme();
  const { light, dark } = useMemo(() => createBrandTheme(branding).cssVariables(theme), [branding, theme]);
  return (
    <div className={classes.previews}>
      <h3 className={classes.title}>{tTerms('preview')}</h3>
      <figure className={classes.figure}>
        <div role="img" aria-label={t('labelLight')} className="scheme-light" style={asStyle(light)}>
          <Portal branding={branding} />
        </div>
        <figcaption>{tShell('light')}</figcaption>
      </figure>
      <figure className={classes.figure}>
        <div role="img" aria-label={t('labelDark')} className="scheme-dark" style={asStyle(dark)}>
          <Portal branding={branding} />
        </div>
        <figcaption>{tShell('dark')}</figcaption>
      </figure>
    </div>
  );
}

/** Custom properties are no part of React's type of a style, but they are of a style. */
function asStyle(variables: Record<string, string>): CSSProperties {
  return { ...variables };
}

function Portal({ branding }: { branding: Branding }) {
  const t = useTranslations('settings.branding.preview');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const format = useFormat();
  return (
    <div className={classes.portal}>
      <div className={classes.side}>
        <div className={classes.brand}>
          <BrandMark branding={branding} size={18} />
          <span className={classes.name}>{branding.applicationName}</span>
        </div>
        <span className={classes.item} data-active>
          <IconLayoutDashboard size={13} stroke={1.75} />
          {tShell('dashboard')}
        </span>
        <span className={classes.item}>
          <IconChartLine size={13} stroke={1.75} />
          {tShell('measurements')}
        </span>
      </div>
      <div className={classes.main}>
        <div className={classes.card}>
          <span className={classes.label}>{tTerms('powerNow')}</span>
          <span className={`${classes.value} figures`}>{format.power(84.2)}</span>
          <svg viewBox="0 0 200 38" preserveAspectRatio="none" className={classes.chart}>
            <path d={`${curve} V38 H0 Z`} className={classes.area} />
            <path d={curve} className={classes.line} />
          </svg>
        </div>
        <div className={classes.row}>
          <span className={classes.button}>{t('button')}</span>
          <span className={classes.link}>{t('link')}</span>
          <span className={classes.secondary}>{t('label')}</span>
          <span className={classes.accent}>{t('accent')}</span>
        </div>
        {branding.footerText !== '' && <div className={classes.footer}>{branding.footerText}</div>}
      </div>
    </div>
  );
}
