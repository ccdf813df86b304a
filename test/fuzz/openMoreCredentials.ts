import { randomUUID } from 'node:crypto'
import type { PrivateKeyAccount } from 'viem/accounts'
import { buildSiweBody } from '../builders/buildSiweBody.ts'
import { signHeaders } from '../builders/participants.ts'
import { signInOperator } from '../builders/signInOperator.ts'
import { api } from '../harness/service/api.ts'
import type { FuzzCredential, Headers } from './fuzzCredential.ts'

type OperatorCredential = readonly [name: string, kind: 'operator', headers: Headers]

/** A service has one operator, who signs in once; in a run that outlasts the session, the token is one that has expired. */
const operators = new Map<string, Promise<readonly OperatorCredential[]>>()

export async function signInOperatorOnce(baseUrl: string): Promise<readonly OperatorCredential[]> {
  const signedIn = operators.get(baseUrl) ?? signIn(baseUrl)
  operators.set(baseUrl, signedIn)
  return signedIn
}

async function signIn(baseUrl: string): Promise<readonly OperatorCredential[]> {
  const { bearer, elevation } = await signInOperator(baseUrl)
  const authorization = `Bearer ${bearer}`
  return [
    ['an operator’s session', 'operator', { authorization }],
    ['an operator’s fresh passkey', 'operator', { authorization, 'x-svc-elevation': await elevation() }],
  ]
}

/** The key of a wallet or an agent, which signs each request. */
export function signatureOf(name: string, account: PrivateKeyAccount): FuzzCredential {
  return [
    name,
    'signature',
    ({ method, target, body }) =>
      signHeaders(account, { method, path: target, body: body?.toString() ?? '', nonce: randomUUID() }),
  ]
}

/** Links a wallet to the account of a session, so that the account owns what the wallet registers. */
export async function linkWallet(
  baseUrl: string,
  account: PrivateKeyAccount,
  { bearer, elevation }: { bearer: string; elevation: string },
): Promise<void> {
  const headers = { 'x-svc-elevation': elevation }
  const body = await buildSiweBody(baseUrl, account)
  const linked = await api(baseUrl, 'POST', '/api/auth/siwe', { bearer, headers, body })
  if (linked.status !== 200) throw new Error(JSON.stringify(linked.body))
}
