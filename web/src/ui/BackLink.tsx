import { IconArrowLeft } from '@tabler/icons-react';
import { LinkAnchor } from './LinkButton.tsx';
import classes from './BackLink.module.css';

interface BackLinkProps {
  to: '/fleet' | '/settings' | '/settings/rates' | '/sites';
  children: string;
}

/** Above the title of a page: a link to the list that it belongs to. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <LinkAnchor to={to} activeOptions={{ exact: true }} className={`${classes.back} screen-only`}>
      <IconArrowLeft size={15} stroke={1.75} aria-hidden />
      {children}
    </LinkAnchor>
  );
}
