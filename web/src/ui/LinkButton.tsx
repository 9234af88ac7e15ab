import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type ButtonAnchorProps = ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>;

/** A link that looks like a button: it can be opened in a new tab, and screen readers announce a link. */
function ButtonAnchor(props: ButtonAnchorProps) {
  return <Button component="a" {...props} />;
}

/** A button that leads to a route, with the typed `to`, `params` and `search` of the router. */
export const LinkButton = createLink(ButtonAnchor);

/** A text link to a route. */
export const LinkAnchor = createLink(Anchor<'a'>);
