import { parseForeignName } from '@svc/core/foreign/foreignName.ts'
import { writeAdoptionStatement } from '@svc/core/signing/writeAdoptionStatement.ts'
import { validationError } from '../../errors.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import type { WaitForHost } from '../waitForHost.ts'
import type { ForeignReader } from './createForeignReader.ts'
import { FOREIGN_FAULTS, type ForeignAgent, type ForeignFault } from './foreignAgent.ts'

export type OpenAdoptionDeps = { reader: ForeignReader; settings: { publicUrl: string } }

export type OpenAdoptionInput = {
  token: string
  /** The organisation that adopts the agent; by default the caller. */
  organizationId?: string | undefined
  principal: SessionPrincipal
  now: number
  waitForHost: WaitForHost
}

/** How long a statement may be signed in advance. */
export const STATEMENT_SECONDS = 10 * 60

/**
 * Reads an agent of another registry, and returns the text that the owner of its token signs to have it adopted.
 *
 * @throws ApiError VALIDATION_ERROR with a code for each reason why it cannot be adopted, as `requireWriter`,
 * CHAIN_UNAVAILABLE, as `WaitForHost`. Source: docs/foreign-agents.md.
 */
export async function openAdoption(
  { reader, settings }: OpenAdoptionDeps,
  { organizationId, principal, now, ...input }: OpenAdoptionInput,
) {
  const ownerIdentifier = organizationId ?? principal.developerId
  requireWriter(principal, ownerIdentifier)
  const agent = await readForAdoption(reader, { ...input, now })
  const expiresAt = Math.floor(now / 1000) + STATEMENT_SECONDS
  const statement = { service: settings.publicUrl, token: agent.token, ownerIdentifier, expiresAt }
  const { state, file, feedback } = agent
  return {
    agent: {
      token: agent.token,
      name: file.name,
      description: file.description,
      image: file.image,
      services: file.services,
      active: file.active,
      owner: state.owner,
      agentWallet: state.wallet,
      tokenUri: state.uri,
      feedback,
    },
    message: writeAdoptionStatement(statement),
    expiresAt,
  }
}

/** Reads the agent that a token names. @throws ApiError VALIDATION_ERROR, CHAIN_UNAVAILABLE; as `WaitForHost`. */
export async function readForAdoption(
  reader: ForeignReader,
  { token, now, waitForHost }: Pick<OpenAdoptionInput, 'token' | 'now' | 'waitForHost'>,
  freshness?: { isFresh: boolean },
): Promise<ForeignAgent> {
  const name = parseForeignName(token)
  if (name === null) {
    const message = 'expected eip155:<chain id>:<registry>/<agent id>'
    throw validationError([{ pointer: '/token', code: 'malformed', message }])
  }
  const reading = await waitForHost(() => reader.read(name, now, freshness))
  if (!reading.ok) throw refuseToken(reading.fault)
  return reading.agent
}

/** The refusal of a token, with its reason as the code. */
export function refuseToken(fault: ForeignFault) {
  return validationError([{ pointer: '/token', code: fault, message: FOREIGN_FAULTS[fault] }])
}
