import { Button, Group } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { CustomerDetail } from '../../../../shared/fleet.ts';
import { batchType } from '../../../../shared/push.ts';
import { useDisplayZone, useHasRole } from '../../lib/current-user.ts';
import { inLanguage } from '../../lib/i18n/error-texts.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Age } from '../../ui/Age.tsx';
import { Facts } from '../../ui/Figures.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import { useCustomerDialogs, useSwitchCustomer } from './CustomerDialogs.tsx';
import { roundInterval } from './round-interval.ts';
import classes from './Fleet.module.css';

type Customer = CustomerDetail['customer'];
type IngestEvent = CustomerDetail['ingestEvents'][number];

/**
 * The state of a customer, the reason, and what to do next. Also when it last sent, and the last report of its portal about
 * itself.
 */
export function CustomerStatus({ detail: { customer, ingestEvents } }: { detail: CustomerDetail }) {
  const t = useTranslations('fleet.customer.status');
  const tStates = useTranslations('sites.customerState');
  const tCustomers = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const isAdmin = useHasRole('Admin');
  const { state, troubleSince, failure, report } = customer;
  const zone = useDisplayZone();
  const timeOf = (at: string) => format.dateTime(at, zone);
  const [last] = ingestEvents;
  return (
    <Panel
      title={troubleSince === null ? tStates(state) : t('since', { state: tStates(state), time: timeOf(troubleSince) })}
      description={<NextStep customer={customer} />}
      {...(isAdmin && { actions: <Actions customer={customer} /> })}
    >
      <Facts
        facts={[
          ...(last === undefined ? [] : [[tTerms('lastBatchStored'), <LastBatch key="last" event={last} />] as const]),
          ...(failure === null
            ? []
            : [
                [
                  t('rejectedSince', { time: timeOf(failure.since) }),
                  inLanguage(failure.reason, failure.refusal),
                ] as const,
              ]),
          ...(customer.notes === null
            ? []
            : [
                [
                  tCustomers('notes'),
                  <span key="notes" className={classes.notes}>
                    {customer.notes}
                  </span>,
                ] as const,
              ]),
          ...(report === null ? [[t('portal'), t('noReport')] as const] : reportFacts(report)),
        ]}
      />
    </Panel>
  );

  function reportFacts({ version, backlogRows, lastError, at }: NonNullable<Customer['report']>) {
    return [
      [
        t('portal'),
        <span key="portal" className={classes.stack}>
          {version !== null && <span>{t('version', { version })}</span>}
          <span className={classes.small}>
            {t('reported')} <Age at={at} />
          </span>
        </span>,
      ],
      [t('backlog'), format.integer(backlogRows)],
      [t('lastError'), lastError === null ? t('none') : <PortalError key="error" error={lastError} />],
    ] as const;
  }
}

/** The state in a sentence, and what to do about it. */
function NextStep({ customer }: { customer: Customer }) {
  const t = useTranslations('fleet.customer.status.next');
  const format = useFormat();
  const { state, troubleSince, failure, noReadingsSince, usualIntervalSeconds, silentAfterSeconds } = customer;
  const zone = useDisplayZone();
  const time = (at: string | null) => (at === null ? '' : format.dateTime(at, zone));
  const interval = usualIntervalSeconds === null ? null : format.duration(roundInterval(usualIntervalSeconds));
  if (state === 'inactive') return t('inactive');
  if (failure?.isRefused === true) return t('rejected');
  if (noReadingsSince !== null) return t('noReadings', { time: time(noReadingsSince) });
  if (state === 'silent') return t('silent', { time: time(troubleSince) });
  if (failure !== null) return t('partlyRejected');
  if (state === 'never') return t('never');
  const usual = interval === null ? t('noRhythm') : t('usually', { interval });
  return state === 'late' ? `${usual} ${t('late', { limit: format.duration(silentAfterSeconds) })}` : usual;
}

function Actions({ customer }: { customer: Customer }) {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const { onEdit, onRotate, dialogs } = useCustomerDialogs();
  const { switchOver, isSwitching } = useSwitchCustomer();
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => onRotate(customer)}>
        {t('rotate')}
      </Button>
      <Button variant="default" onClick={() => onEdit(customer)}>
        {tCommon('edit')}
      </Button>
      <Button data-sends variant="default" loading={isSwitching} onClick={() => switchOver(customer)}>
        {tTerms(customer.isActive ? 'switchOff' : 'switchOn')}
      </Button>
      {dialogs}
    </Group>
  );
}

function LastBatch({ event }: { event: IngestEvent }) {
  const nameOf = useBatchName();
  return (
    <span className={classes.stack}>
      <span>
        {nameOf(event.batchType)}, <Age at={event.receivedAt} />
      </span>
      <BatchResult event={event} />
    </span>
  );
}

function PortalError({
  error: { kind, text, at },
}: {
  error: NonNullable<NonNullable<Customer['report']>['lastError']>;
}) {
  const tTrouble = useTranslations('push.trouble');
  const format = useFormat();
  const zone = useDisplayZone();
  return (
    <span className={classes.stack}>
      {kind !== null && <span>{tTrouble(kind)}</span>}
      <span className={classes.why}>{text}</span>
      <span className={classes.small}>{format.dateTime(at, zone)}</span>
    </span>
  );
}

export function useBatchName(): (type: string) => string {
  const tTerms = useTranslations('terms');
  return (type) => {
    const known = batchType.options.find((each) => each === type);
    return known === undefined ? type : tTerms(known);
  };
}

/** The result of a batch. */
export function BatchResult({ event: { error, refusal, rowsRejected } }: { event: IngestEvent }) {
  const t = useTranslations('fleet.customer.events');
  if (error !== null) {
    return (
      <span className={classes.stack}>
        <StatusChip tone="bad">{t('refused')}</StatusChip>
        <span className={classes.why}>{inLanguage(error, refusal)}</span>
      </span>
    );
  }
  return rowsRejected > 0 ? (
    <StatusChip tone="warn">{t('partly', { count: rowsRejected })}</StatusChip>
  ) : (
    <StatusChip tone="good">{t('stored')}</StatusChip>
  );
}
