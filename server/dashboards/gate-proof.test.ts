import { describe, expect, test } from 'vitest';
import { findGateIdentity, gateHeaderNames, gateHeaders, type GateIdentity } from './gate-proof.ts';

const secret = 'a secret of the portal and its tool';
const nowMs = 1_800_000_000_500;
const key = { secret, nowMs };
const jane: GateIdentity = {
  user: '01890000-0000-7000-8000-000000000001',
  email: 'jane+meters@example.com',
  name: 'Jürgen Größe, 東京 50 %',
  role: 'RestrictedAdmin',
};

describe('the proof of the user', () => {
  test('names arrive unchanged, and are sent as ASCII', () => {
    const headers = gateHeaders(jane, key);
    expect(Object.keys(headers)).toEqual([...gateHeaderNames]);
    for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]+$/);
    expect(headers['x-portal-email']).toBe('jane+meters@example.com');
    expect(findGateIdentity(headers, key)).toEqual(jane);
  });

  test('half of a surrogate pair blocks nothing', () => {
    const headers = gateHeaders({ ...jane, name: 'Jane \ud83d' }, key);
    expect(findGateIdentity(headers, key)?.name).toBe('Jane \ufffd');
  });

  test('a proof is valid for 60 seconds', () => {
    const headers = gateHeaders(jane, key);
    expect(findGateIdentity(headers, { secret, nowMs: nowMs + 59_000 })).toEqual(jane);
    expect(findGateIdentity(headers, { secret, nowMs: nowMs + 60_000 })).toBeNull();
  });

  test('a proof with another secret is invalid', () => {
    expect(findGateIdentity(gateHeaders(jane, { secret: `${secret}!`, nowMs }), key)).toBeNull();
  });

  test('anything changed, missing or repeated is rejected', () => {
    const headers = gateHeaders(jane, key);
    const [version = '', expiresAt = '', signature = ''] = headers['x-portal-proof'].split('.');
    const proofs = [
      `${version}.${Number(expiresAt) + 1}.${signature}`,
      `v2.${expiresAt}.${signature}`,
      `${version}.${expiresAt}.`,
      `${version}.${expiresAt}.${signature.slice(1)}A`,
      `${headers['x-portal-proof']}=`,
      '',
    ];
    for (const proof of proofs) expect(findGateIdentity({ ...headers, 'x-portal-proof': proof }, key)).toBeNull();
    expect(findGateIdentity({ ...headers, 'x-portal-role': 'Admin' }, key)).toBeNull();
    for (const name of gateHeaderNames) {
      expect(findGateIdentity({ ...headers, [name]: undefined }, key)).toBeNull();
      expect(findGateIdentity({ ...headers, [name]: `${headers[name]}, ${headers[name]}` }, key)).toBeNull();
      expect(findGateIdentity({ ...headers, [name]: [headers[name]] }, key)).toBeNull();
    }
  });

  test('a line break in a name does not shift the boundary between two values', () => {
    const headers = gateHeaders({ ...jane, email: 'a@b\nAdmin', name: 'x\nAdmin\r\nX-Portal-Role: Admin' }, key);
    expect(findGateIdentity(headers, key)).toMatchObject({ email: 'a@b\nAdmin', role: 'RestrictedAdmin' });
    const moved = { ...headers, 'x-portal-email': 'a@b', 'x-portal-name': `Admin\n${headers['x-portal-name']}` };
    expect(findGateIdentity(moved, key)).toBeNull();
  });

  test('a role that the portal does not have is invalid', () => {
    const forged: GateIdentity = JSON.parse(JSON.stringify({ ...jane, role: 'Owner' }));
    expect(findGateIdentity(gateHeaders(forged, key), key)).toBeNull();
  });
});
