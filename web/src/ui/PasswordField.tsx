import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState, type RefAttributes } from 'react';
import { useTranslations } from 'use-intl';

/** A password with a button, reachable by keyboard, that shows and hides it. */
export function PasswordField(
  props: Omit<PasswordInputProps, 'visible' | 'onVisibilityChange'> & RefAttributes<HTMLInputElement>,
) {
  const t = useTranslations('common');
  const [isVisible, setIsVisible] = useState(false);
  return (
    <PasswordInput
      {...props}
      visible={isVisible}
      onVisibilityChange={setIsVisible}
      visibilityToggleButtonProps={{ 'aria-label': isVisible ? t('hidePassword') : t('showPassword'), tabIndex: 0 }}
    />
  );
}
