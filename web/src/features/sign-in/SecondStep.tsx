import { Button, Stack, Text } from '@mantine/core';
import { useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentUser, SignInStep } from '../../../../shared/accounts.ts';
import { mayHavePasskeys } from '../../lib/passkeys.ts';
import { CodeField, PasskeyNameField } from '../../ui/second-factor/CodeField.tsx';
import { NewAppForm } from '../../ui/second-factor/NewAppForm.tsx';
import { RecoveryCodes } from '../../ui/second-factor/RecoveryCodes.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { SignInMessage } from './SignInMessage.tsx';
import { type SecondFactorAnswer, useSecondFactor, useFirstPasskey, type Lockout } from './use-sign-in.ts';
import classes from './SignInPage.module.css';
import { useErrorText } from '../../lib/error-text.ts';
import { FormError } from '../../ui/DialogForm.tsx';
import { MoreMessages } from '../../ui/MoreMessages.tsx';

interface SecondStepProps {
  step: SignInStep;
  email: string;
  lockout: Lockout;
  onSignedIn: (user: CurrentUser) => void;
  onStartAgain: () => void;
  children: ReactNode;
}

/** The step after the password: the second factor, or the app or passkey that the account must add first. */
export function SecondStep(props: SecondStepProps) {
  return (
    <MoreMessages stage="pages">
      <Step {...props} />
    </MoreMessages>
  );
}

function Step({ step, email, lockout, onSignedIn, onStartAgain, children }: SecondStepProps) {
  const t = useTranslations('secondFactor');
  const prove = useSecondFactor();
  const [enrolled, setEnrolled] = useState<{ user: CurrentUser; codes: string[] } | null>(null);
  const [isByPasskey, setIsByPasskey] = useState(false);
  const { secondsLeft, noteRefusal } = lockout;

  const goOn = ({ recoveryCodes, ...user }: SecondFactorAnswer) =>
    recoveryCodes === null ? onSignedIn(user) : setEnrolled({ user, codes: recoveryCodes });
  const send = (code: string, onRefused: () => void) => {
    if (prove.isPending || secondsLeft > 0) return;
    prove.mutate(
      { token: step.token, code },
      {
        onSuccess: goOn,
        onError: (error) => {
          onRefused();
          noteRefusal(error, email);
        },
      },
    );
  };
  const message = <SignInMessage error={prove.error} wrong={t('wrong')} secondsLeft={secondsLeft} hint={null} />;

  if (enrolled !== null) return <RecoveryCodes codes={enrolled.codes} onDone={() => onSignedIn(enrolled.user)} />;
  if (step.newApp === null) {
    // A lockout applies to both kinds of factors, so its message stays.
    const onOtherWay = () => (secondsLeft > 0 ? undefined : prove.reset());
    const parts = { step, secondsLeft, message, send, onOtherWay, onSignedIn, onStartAgain };
    return (
      <CodeForm isPending={prove.isPending} {...parts}>
        {children}
      </CodeForm>
    );
  }
  return (
    <Stack gap="md">
      <p className={classes.hint}>{t('enrolText')}</p>
      {mayHavePasskeys() && (
        <Button variant="default" onClick={() => setIsByPasskey(!isByPasskey)}>
          {t(isByPasskey ? 'useApp' : 'proveByPasskey')}
        </Button>
      )}
      {isByPasskey ? (
        <FirstPasskeyForm token={step.token} onSignedIn={goOn} onStartAgain={onStartAgain} />
      ) : (
        <NewAppForm
          newApp={step.newApp}
          isPending={prove.isPending}
          refusal={message}
          onCode={(code) => send(code, () => undefined)}
          cancelLabel={t('startAgain')}
          onCancel={onStartAgain}
        />
      )}
      {children}
    </Stack>
  );
}

interface CodeFormProps extends Pick<SecondStepProps, 'step' | 'onSignedIn' | 'onStartAgain' | 'children'> {
  isPending: boolean;
  secondsLeft: number;
  message: ReactNode;
  send: (code: string, onRefused: () => void) => void;
  /** The rejected code is removed from the field. */
  onOtherWay: () => void;
}

function CodeForm(props: CodeFormProps) {
  const { step, isPending, secondsLeft, message, send, onOtherWay, onSignedIn, onStartAgain } = props;
  const t = useTranslations('secondFactor');
  const tSignIn = useTranslations('signIn');
  const [isRecovery, setIsRecovery] = useState(!step.hasApp);
  const [code, setCode] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (code.trim() === '') return;
    send(code, () => {
      setCode('');
      setIsChecked(false);
      // The pressed button lost the focus while it waited for the answer.
      codeField.current?.focus();
    });
  };
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        {message}
        <CodeField
          key={String(isRecovery)}
          ref={codeField}
          label={t(isRecovery ? 'recoveryCode' : 'code')}
          description={t(isRecovery ? 'recoveryHint' : 'codeHint')}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoFocus
          size="md"
          value={code}
          error={isChecked && code.trim() === '' ? t('codeMissing') : null}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" size="md" fullWidth loading={isPending} disabled={secondsLeft > 0}>
          {tSignIn('submit')}
        </Button>
        {step.hasPasskey && <PasskeyButton onSignedIn={onSignedIn} />}
        {step.hasApp && (
          <Button
            variant="subtle"
            onClick={() => {
              setIsRecovery(!isRecovery);
              setCode('');
              setIsChecked(false);
              onOtherWay();
            }}
          >
            {t(isRecovery ? 'useApp' : 'useRecovery')}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={onStartAgain}>
          {t('startAgain')}
        </Button>
        {props.children}
      </Stack>
    </form>
  );
}

interface FirstPasskeyFormProps {
  token: string;
  onSignedIn: (answer: SecondFactorAnswer) => void;
  onStartAgain: () => void;
}

/** For an account that needs a second factor and has none: adds its first passkey. */
function FirstPasskeyForm({ token, onSignedIn, onStartAgain }: FirstPasskeyFormProps) {
  const t = useTranslations('secondFactor');
  const errorText = useErrorText();
  const add = useFirstPasskey();
  const [name, setName] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (name.trim() !== '' && !add.isPending) add.mutate({ token, name }, { onSuccess: onSignedIn });
  };
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        <Text>{t('passkeysText')}</Text>
        <FormError>{add.error && errorText(add.error)}</FormError>
        <PasskeyNameField {...{ name, isChecked }} onName={setName} />
        <Button type="submit" size="md" fullWidth loading={add.isPending}>
          {t('addPasskey')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onStartAgain}>
          {t('startAgain')}
        </Button>
      </Stack>
    </form>
  );
}
