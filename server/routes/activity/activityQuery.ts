import { ACTIVITY_OUTCOMES } from '@svc/core/contract/activity.ts'
import { normaliseIpAddress } from '@svc/core/url/ipAddress.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type FindPurchaseDeps, findPurchase } from '../../services/activity/findPurchase.ts'

const time = z.iso
  .datetime({ offset: true, message: 'expected a time such as 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text))
/** No name contains a NUL, and PostgreSQL rejects a query that contains one. */
const name = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}+$/u)
    .optional()
const amount = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,18})?$/, 'expected an amount such as 49.90')
  .transform(Number)
const ip = z.string().transform((text, context) => {
  const address = normaliseIpAddress(text)
  if (address !== undefined) return address
  context.addIssue({ code: 'custom', message: 'expected an IP address' })
  return z.NEVER
})

/** The filters of the list, the stream and the export, by query parameter. */
const shape = {
  agent: name(64),
  endpoint: name(64),
  eventType: name(100),
  since: time.optional(),
  until: time.optional(),
  outcome: z.enum(ACTIVITY_OUTCOMES).optional(),
  text: name(100),
  ip: ip.optional(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3,10}$/, 'expected a currency code, such as USD or USDC')
    .optional(),
  amountMin: amount.optional(),
  amountMax: amount.optional(),
  purchase: name(64),
}
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
/** How the list and the export show what the filters leave. */
const listShape = {
  order: z.enum(['newest', 'oldest']).default('newest'),
  perPurchase: flag.default(false),
}

const filterSchema = z
  .object(shape)
  .refine(
    ({ currency, amountMin, amountMax }) =>
      currency !== undefined || (amountMin === undefined && amountMax === undefined),
    {
      path: ['currency'],
      params: { code: 'required' },
      message: 'is needed with an amount, because amounts of different currencies cannot be compared',
    },
  )
  .refine(({ amountMin = 0, amountMax = Number.POSITIVE_INFINITY }) => amountMin <= amountMax, {
    path: ['amountMin'],
    params: { code: 'too_big' },
    message: 'is greater than `amountMax`',
  })
const listSchema = z.object(listShape)

/** Resolves the `SVCE-` identifier of an endpoint to its internal one, and a session to its purchase. */
export type ReadActivityQueryDeps = FindPurchaseDeps & {
  endpoints: { byAnyId(id: string): Promise<{ id: string } | null> }
}

/** The filters of the activity, and how they are read. */
export const activityQuery = {
  shape,
  listShape,

  /** @throws ApiError VALIDATION_ERROR. */
  async read(deps: ReadActivityQueryDeps, query: URLSearchParams) {
    const given = parseInput(filterSchema, Object.fromEntries(query))
    const { agent, endpoint, ip: sourceIp, text, purchase, ...rest } = given
    return {
      ...{ ...rest, sourceIp, agentId: agent },
      purchaseId: purchase && (await findPurchase(deps, purchase)),
      text: text?.toLowerCase(),
      endpointId:
        endpoint === undefined ? undefined : ((await deps.endpoints.byAnyId(endpoint))?.id ?? endpoint),
    }
  },

  /** @throws ApiError VALIDATION_ERROR. */
  async readList(deps: ReadActivityQueryDeps, query: URLSearchParams) {
    const { order, perPurchase } = parseInput(listSchema, Object.fromEntries(query))
    const filter = await activityQuery.read(deps, query)
    return { ...filter, perPurchase, order: order === 'newest' ? ('desc' as const) : ('asc' as const) }
  },
}
