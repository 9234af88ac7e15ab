import type { Customer } from '../../../../shared/fleet.ts';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { NameOverCode } from '../../entities/NameOverCode.tsx';

/** A link to the page of the customer. */
export function CustomerName({ customer: { id, name, code } }: { customer: Pick<Customer, 'id' | 'name' | 'code'> }) {
  return (
    <NameOverCode code={code}>
      <LinkAnchor to="/customers/$customerId" params={{ customerId: id }}>
        {name}
      </LinkAnchor>
    </NameOverCode>
  );
}
