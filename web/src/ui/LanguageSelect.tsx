import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { languages } from '../../../shared/messages.ts';
import { chooseLanguage, languageName } from '../lib/i18n/language.ts';
import { useLanguage } from './LanguageProvider.tsx';

/** Chooses the language of the page, which is stored on the device. */
export function LanguageSelect() {
  const t = useTranslations('shell');
  const { language, setLanguage } = useLanguage();
  return (
    <NativeSelect
      size="xs"
      label={t('language')}
      value={language}
      onChange={(event) => setLanguage(chooseLanguage(event.currentTarget.value, []))}
      data={languages.map((code) => ({ value: code, label: languageName(code) }))}
    />
  );
}
