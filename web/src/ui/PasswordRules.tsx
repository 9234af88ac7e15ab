import { IconCheck, IconPoint } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { passwordRules } from '../../../shared/accounts.ts';
import classes from './PasswordRules.module.css';

/** The password policy, with each rule ticked off while the user types. */
export function PasswordRules({ password }: { password: string }) {
  const t = useTranslations('common.passwordRules');
  const names = [t('length'), t('upperCase'), t('lowerCase'), t('digit')];
  return (
    <div className={classes.rules}>
      <p className={classes.label}>{t('label')}</p>
      <ul>
        {passwordRules.map(({ message, isMet }, index) => {
          const met = isMet(password);
          const Icon = met ? IconCheck : IconPoint;
          return (
            <li key={message} className={met ? classes.met : undefined}>
              <Icon size={16} stroke={2} aria-hidden />
              {names[index] ?? message}
              <span className="visually-hidden"> ({met ? t('met') : t('notMet')})</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
