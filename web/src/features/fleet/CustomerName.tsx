import type { Customer } from '../../../../shared/customers.ts';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import classes from './CustomerName.module.css';

/** Leads to the page of the customer. */
export function CustomerName({ customer: { id, name, code } }: { customer: Pick<Customer, 'id' | 'name' | 'code'> }) {
  return (
    <span className={classes.customer}>
      <LinkAnchor to="/customers/$customerId" params={{ customerId: id }} className={classes.name}>
        {name}
      </LinkAnchor>
      <span className={classes.code}>{code}</span>
    </span>
  );
}
