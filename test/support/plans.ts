import type { Database, Transaction } from '../../server/database/pool.ts';

/** The plans of every statement that `work` runs, with the values it runs them with. */
export async function plansOf(database: Database, work: (db: Transaction) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const explain = async (text: string, values?: readonly unknown[]) => {
    const { rows } = await database.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}` }, values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  };
  await work({
    customerId: database.customerId,
    async query(statement, values) {
      await explain(statement.text, values);
      return database.query(statement, values);
    },
    send: () => Promise.reject(new Error('A plan is asked of reads.')),
    async copyOut(text) {
      await explain(text.replace(/^COPY \(/, '').replace(/\) TO STDOUT.*$/, ''));
      return database.transaction((tx) => tx.copyOut(text));
    },
  });
  return plans;
}
