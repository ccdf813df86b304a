import { z } from 'zod'
import { nameSchema } from '../contract/envelope.ts'
import { type ForeignName, parseForeignName } from '../foreign/foreignName.ts'
import { isStorable } from '../isStorable.ts'
import { parseJsonObject } from '../parseJsonObject.ts'

/** What the registration file of a foreign agent says, as far as this registry uses it. */
export type ForeignFile = {
  name: string
  description: string | null
  image: string | null
  services: { name: string; endpoint: string }[]
  /** Whether the owner declares it active; a file without the member does. */
  active: boolean
}

/** Why a file cannot stand for an agent: it is no registration file, or does not name the agent's token. */
export type FileFault = 'file_malformed' | 'file_not_bound'

const DESCRIPTION_MAX = 2_000
const SERVICES_MAX = 100
/** Parsed files stay in memory, and an owner who adopts an agent needs to see no more services than this. */
const SERVICES_KEPT = 20
const REGISTRATIONS_MAX = 1_000

const TYPE = /^https:\/\/eips\.ethereum\.org\/EIPS\/eip-8004#registration-v1$/

/** Members of no use here may have any form, because every author writes them differently. */
const fileSchema = z.object({
  type: z.string().regex(TYPE),
  name: nameSchema,
  description: z.string().nullish().catch(null),
  image: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .nullish()
    .catch(null),
  services: z
    .array(z.object({ name: z.string().max(100), endpoint: z.string().max(2_048) }))
    .max(SERVICES_MAX)
    .catch([]),
  active: z.boolean().catch(true),
  registrations: z
    .array(
      z.object({
        agentId: z.union([z.int().min(0), z.string().regex(/^\d{1,78}$/)]),
        agentRegistry: z.string().max(200),
      }),
    )
    .max(REGISTRATIONS_MAX)
    // A file that was written before there was a token.
    .default([]),
})

/**
 * Parses the registration file of a foreign agent and checks that it names the agent's token among its `registrations`.
 *
 * Without that, anyone could register a token that points at somebody else's file, and speak with its name.
 *
 * Source: EIP-8004 "Agent Registration File".
 */
export function parseRegistrationFile(
  text: string,
  { agentRegistry, agentId }: Pick<ForeignName, 'agentRegistry' | 'agentId'>,
): { ok: true; file: ForeignFile } | { ok: false; fault: FileFault } {
  const parsed = fileSchema.safeParse(parseJsonObject(text))
  if (!parsed.success) return { ok: false, fault: 'file_malformed' }
  const { name, description, image, active, registrations } = parsed.data
  const services = parsed.data.services.slice(0, SERVICES_KEPT)
  const texts = [name, description ?? '', image ?? '', ...services.flatMap((one) => [one.name, one.endpoint])]
  if (!texts.every(isStorable)) return { ok: false, fault: 'file_malformed' }
  const isBound = registrations.some((one) => {
    const named = parseForeignName(`${one.agentRegistry}/${one.agentId}`)
    return named?.agentRegistry === agentRegistry && named.agentId === agentId
  })
  if (!isBound) return { ok: false, fault: 'file_not_bound' }
  return {
    ok: true,
    file: {
      name,
      // Half of a character that the cut divides would be a lone surrogate.
      description: description?.slice(0, DESCRIPTION_MAX).replace(/[\uD800-\uDBFF]$/, '') ?? null,
      image: image ?? null,
      services,
      active,
    },
  }
}
