import { z } from 'zod';
import {
  createdCustomer,
  customer,
  customerAccess,
  customerAccessUpdate,
  customerCreate,
  customerUpdate,
  registeredCustomer,
  rotatedToken,
  tokenRotation,
} from '../../shared/fleet.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { customerAccessVersion, customerVersion } from '../../shared/versions.ts';
import { changeCustomerAccess } from './customer-access.ts';
import { changeCustomer, createCustomer, readSeenCustomers, removeCustomer, rotateToken } from './customers.ts';
import { listCustomersOfUser } from './customer-access.sql.ts';
import { judgeCustomer } from './fleet-trouble.rules.ts';
import { getUser } from '../accounts/users.ts';
import { byNames } from '../base/names.ts';
import { allCustomers } from '../base/scopes.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { removeRoute, ifMatch, ifMatchHeaders, withVersion, versioned } from '../http/resources.ts';
const tags = ['Customers'];

/**
 * `/api/admin/customers` and `/api/users/{id}/customers`: decisions.md 3. Admin mode only. By default a rotated token stays valid
 * for `graceHours`.
 */
export async function customerRoutes(app: App, parts: ClientParts & { graceHours: number }): Promise<void> {
  const { database, guard, now, graceHours } = parts;
  app.get(
    '/api/admin/customers',
    guarded(guard.admin, {
      tags,
      operationId: 'listCustomers',
      summary: 'List the customers by name',
      response: { 200: z.array(registeredCustomer) },
    }),
    async () => {
      const customers = await readSeenCustomers(database, allCustomers);
      const judged = customers.map((one) => ({ ...one, state: judgeCustomer(one, now()).state }));
      // The customer is parsed, which drops fields that the API does not show.
      return z.array(registeredCustomer).parse(judged.toSorted(byNames('name', 'code')));
    },
  );

  app.post(
    '/api/admin/customers',
    guarded(guard.admin, {
      tags,
      operationId: 'createCustomer',
      summary: 'Add a customer; only this response shows its push token',
      body: customerCreate,
      response: { 201: versioned(createdCustomer), 409: errorBody },
    }),
    async (request, reply) => {
      const created = await createCustomer({ database, now, by: guard.author(request) }, request.body);
      withVersion(reply, created.customer, customerVersion);
      return reply.code(201).send(created);
    },
  );

  app.put(
    '/api/admin/customers/:id',
    guarded(guard.admin, {
      tags,
      operationId: 'updateCustomer',
      summary: 'Rename, label, activate or deactivate a customer; its code never changes',
      description: 'Tokens of an inactive customer get 401. Stored data is kept.',
      params: idParams,
      headers: ifMatchHeaders,
      body: customerUpdate,
      response: { 200: versioned(customer) },
    }),
    async (request, reply) => {
      const checkVersion = ifMatch(request, customerVersion);
      const by = guard.author(request);
      const changed = await changeCustomer({ database, by }, request.params.id, request.body, checkVersion);
      return withVersion(reply, changed, customerVersion);
    },
  );

  app.post(
    '/api/admin/customers/:id/rotate-token',
    guarded(guard.admin, {
      tags,
      operationId: 'rotateCustomerToken',
      summary: 'Give a customer a new push token, which only this response shows',
      description:
        'The previous token stays valid until previousTokenExpiresAt; the one before it becomes invalid at once.',
      params: idParams,
      body: tokenRotation,
      response: { 200: rotatedToken },
    }),
    async (request) =>
      rotateToken(
        { database, now, by: guard.author(request) },
        request.params.id,
        request.body?.graceHours ?? graceHours,
      ),
  );

  removeRoute(app, parts, {
    path: '/api/admin/customers',
    tags,
    operationId: 'deleteCustomer',
    summary: 'Delete a customer with everything that it sent',
    versionOf: customerVersion,
    run: (changing, id, checkVersion) => removeCustomer({ ...changing, now }, id, checkVersion),
  });

  app.get(
    '/api/users/:id/customers',
    guarded(guard.admin, {
      tags,
      operationId: 'getCustomersOfUser',
      summary: 'Get the customers that a user sees as a RestrictedAdmin',
      params: idParams,
      response: { 200: versioned(customerAccess) },
    }),
    async (request, reply) => {
      const { id } = request.params;
      await getUser(database, id, now());
      return withVersion(reply, { customerIds: await listCustomersOfUser(database, id) }, customerAccessVersion);
    },
  );

  app.put(
    '/api/users/:id/customers',
    guarded(guard.admin, {
      tags,
      operationId: 'updateCustomersOfUser',
      summary: 'Set which customers a user sees as a RestrictedAdmin, from the next request on',
      params: idParams,
      headers: ifMatchHeaders,
      body: customerAccessUpdate,
      response: { 200: versioned(customerAccess) },
    }),
    async (request, reply) => {
      const by = guard.author(request);
      const checkVersion = ifMatch(request, customerAccessVersion);
      const changed = await changeCustomerAccess({ database, by }, request.params.id, request.body, checkVersion);
      return withVersion(reply, changed, customerAccessVersion);
    },
  );
}
