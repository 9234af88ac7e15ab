import { Anchor, Button } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A button that leads to a route, with the typed `to`, `params` and `search` of the router. */
export const LinkButton = createLink(Button<'a'>);

/** A text link to a route. */
export const LinkAnchor = createLink(Anchor<'a'>);
