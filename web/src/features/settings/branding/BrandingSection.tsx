import { Button, Group, Textarea, TextInput, useMantineTheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useEffectEvent, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type Branding, brandingUpdate } from '../../../../../shared/app.ts';
import { brandingQuery } from '../../../lib/branding.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FormError } from '../../../ui/DialogForm.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { BlockSkeleton } from '../../../ui/Skeletons.tsx';
import { UnsavedGuard } from '../../../ui/Dialog.tsx';
import { useBrandingLabels, useSaveBranding } from './branding-mutations.ts';
import { colorFields, effectiveBranding, fallbackOf, settingOf, type BrandingField } from './branding-values.ts';
import { ColorField } from './ColorField.tsx';
import { configQuery } from '../config-groups.ts';
import { LogoUpload } from './LogoUpload.tsx';
import { TimeZonePanel } from './TimeZonePanel.tsx';
import classes from './Branding.module.css';
import { IconChartLine, IconLayoutDashboard } from '@tabler/icons-react';
import { useFormat } from '../../../lib/use-format.ts';
import { BrandMark } from '../../../ui/BrandMark.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import { createBrandTheme } from '../../../ui/tokens/theme.ts';

/** The load on a day in an office, as heights of the drawing. */
const curve =
  'M0 34 C12 34 18 33 26 32 S40 27 48 16 S64 6 74 8 S92 14 102 10 S122 8 130 14 S150 30 160 32 S190 34 200 34';

/** The portal in miniature, in both appearances, with exactly the colors that the branding would produce. */
function BrandPreview({ branding }: { branding: Branding }) {
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

/** React's style type lacks custom properties, which styles may have. */
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
          {tShell('overview')}
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

/** The appearance of the portal, with a preview while it is changed. */
export function BrandingSection() {
  const t = useTranslations('settings.branding');
  const title = useTranslations('sections')('branding');
  const branding = useQuery(brandingQuery);
  // Includes the settings that replace blank fields.
  const { isPending } = useQuery(configQuery);
  return (
    <>
      <Panel title={title} description={t('description')}>
        {branding.data !== undefined && !isPending ? (
          <BrandingForm saved={branding.data} />
        ) : branding.isError ? (
          <ErrorState compact error={branding.error} onRetry={() => void branding.refetch()} />
        ) : (
          <BlockSkeleton height={480} />
        )}
      </Panel>
      {branding.data !== undefined && !isPending && <TimeZonePanel />}
    </>
  );
}

function BrandingForm({ saved }: { saved: Branding }) {
  const t = useTranslations('settings.branding');
  const tTerms = useTranslations('terms');
  const config = useQuery(configQuery).data;
  const save = useSaveBranding();
  const colorInvalid = () => t('colorInvalid');
  const { form, seen, dialog, text, choice, takeOver, discard } = useRecordForm<Branding, Branding, Branding>({
    seen: saved,
    initialValues: saved,
    schema: brandingUpdate,
    problems: { primaryColor: colorInvalid, secondaryColor: colorInvalid, accentColor: colorInvalid },
    labels: useBrandingLabels(),
    save: (values, before) => save.mutateAsync({ seen: before, values }),
    said: () => t('saved'),
    onSaved: (stored) => takeOver(stored, stored),
    onCancel: () => discard(),
  });
  const { values } = form;
  const isDirty = form.isDirty();
  // If someone else has changed the branding, it is shown here as long as the user has changed nothing.
  const follow = useEffectEvent((newer: Branding) => {
    if (!form.isDirty()) takeOver(newer, newer);
  });
  useEffect(() => follow(saved), [saved]);
  const describe = (field: BrandingField): string => {
    if (values[field].trim() !== '') return field === 'applicationName' ? '' : t(`${field}Hint`);
    const value = fallbackOf(field, config);
    const setting = settingOf(field);
    if (value === undefined) return t('blankUnknown', { setting });
    return value === '' ? t('blankNothing', { setting }) : t('blank', { value, setting });
  };
  const about = (field: BrandingField) => ({
    description: describe(field),
    placeholder: fallbackOf(field, config) ?? '',
  });
  const shown = effectiveBranding(values, saved, config);

  return (
    <form onSubmit={dialog.onSubmit} noValidate className={classes.layout}>
      <div className={classes.fields}>
        <TextInput {...text('applicationName')} {...about('applicationName')} />
        <LogoUpload
          logoUrl={saved.logoUrl}
          isFallback={saved.logoUrl === (fallbackOf('logoUrl', config) ?? '')}
          onChanged={({ logoUrl }) => takeOver({ ...(seen ?? saved), logoUrl }, { logoUrl })}
        />
        <TextInput {...text('logoUrl')} {...about('logoUrl')} spellCheck={false} />
        {colorFields.map((name) => (
          <ColorField key={name} {...choice(name)} {...about(name)} value={values[name]} shown={shown[name]} />
        ))}
        <Textarea {...text('footerText')} {...about('footerText')} autosize minRows={2} maxRows={5} />
        <FormError>{dialog.refusal}</FormError>
      </div>
      <BrandPreview branding={shown} />
      <Group gap="xs" className={classes.buttons} data-bottom-bar={isDirty || undefined}>
        <Button type="submit" loading={dialog.isPending} disabled={!isDirty}>
          {dialog.submitLabel}
        </Button>
        {isDirty && (
          <Button variant="default" onClick={discard} disabled={dialog.isPending}>
            {t('discard')}
          </Button>
        )}
        <span role="status" className={classes.unsaved}>
          {isDirty ? tTerms('notSavedYet') : ''}
        </span>
      </Group>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  );
}
