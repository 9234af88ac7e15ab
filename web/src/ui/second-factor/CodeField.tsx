import { TextInput, type TextInputProps } from '@mantine/core';
import type { RefAttributes } from 'react';

/** A code from an authenticator app; phones and password managers fill it in. */
export function CodeField(props: Omit<TextInputProps, 'autoComplete' | 'name'> & RefAttributes<HTMLInputElement>) {
  return (
    <TextInput
      inputMode="numeric"
      {...props}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
    />
  );
}
