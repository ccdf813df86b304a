import { z } from 'zod'
import { pageAnswer, success } from './envelope.ts'

/** A measure of an operator that is in force. */
const intervention = z.object({
  /** What the owner was told. */
  reason: z.string(),
  /** `SVCD-` identifier of the operator. */
  decidedBy: z.string(),
  decidedAt: z.string(),
})

/** Of an account or an organisation. */
const standing = z.enum(['active', 'suspended'])

const endpointStatus = z.enum(['active', 'deactivated', 'archived'])

const platformStatus = z.enum(['recognised', 'withdrawn'])

/** Whether it is the operator's own, about which another operator has to decide. */
const isOwn = z.boolean()

const account = z.object({
  developerId: z.string(),
  email: z.string().nullable(),
  fullName: z.string().nullable(),
  role: z.enum(['user', 'operator']),
  kydStatus: z.enum(['none', 'verified']),
  createdAt: z.string(),
  status: standing,
  intervention: intervention.nullable(),
  isOwn,
})

const organization = z.object({
  organizationId: z.string(),
  name: z.string(),
  /** `SVCD-` identifier of the account that created it. */
  createdBy: z.string(),
  memberCount: z.number(),
  createdAt: z.string(),
  status: standing,
  intervention: intervention.nullable(),
  isOwn,
})

const endpoint = z.object({
  id: z.string(),
  svceId: z.string(),
  ownerId: z.string(),
  name: z.string(),
  counterpartyUrl: z.string(),
  tier: z.enum(['self_asserted', 'domain_verified']),
  status: endpointStatus,
  createdAt: z.string(),
  /** Of a released endpoint. */
  intervention: intervention.nullable(),
  isOwn,
})

const platform = z.object({
  /** As in the list of platforms. */
  id: z.string(),
  name: z.string(),
  operator: z.string(),
  /** The provisional agent that stands for it. */
  svcId: z.string(),
  status: platformStatus,
  intervention: intervention.nullable(),
})

/** Schemas that the operations share. */
export const interventionSchemas = {
  ...{ standing, endpointStatus, platformStatus },
  ...{ intervention, account, organization, endpoint, platform },
} as const

/** An account, as an operator sees it. */
export type ListedAccount = z.output<typeof account>

/** An organisation, as an operator sees it. */
export type ListedOrganization = z.output<typeof organization>

/** A claimed endpoint, as an operator sees it. */
export type ListedEndpoint = z.output<typeof endpoint>

/** A recognised platform, as an operator sees it. */
export type ListedPlatform = z.output<typeof platform>

/** A measure of an operator that is in force. */
export type StandingIntervention = z.output<typeof intervention>

/** The body of every measure; the owner is told the reason. */
export const interventionBody = z.strictObject({ reason: z.string().trim().min(3).max(1000) })

const changedAccount = {
  body: interventionBody,
  answer: success({ developerId: z.string(), status: standing }),
}

const changedOrganization = {
  body: interventionBody,
  answer: success({ organizationId: z.string(), status: standing }),
}

const changedPlatform = {
  body: interventionBody,
  answer: success({ id: z.string(), svcId: z.string(), status: platformStatus }),
}

/** Request and response schemas of the operations, by method and path. */
export const interventionOperations = {
  'GET /api/admin/accounts': { answer: pageAnswer(account) },
  'POST /api/admin/accounts/:id/suspend': changedAccount,
  'POST /api/admin/accounts/:id/resume': changedAccount,
  'GET /api/admin/organizations': { answer: pageAnswer(organization) },
  'POST /api/admin/organizations/:id/suspend': changedOrganization,
  'POST /api/admin/organizations/:id/resume': changedOrganization,
  'GET /api/admin/endpoints': { answer: pageAnswer(endpoint) },
  'POST /api/admin/endpoints/:id/release': {
    body: interventionBody,
    answer: success({
      id: z.string(),
      status: z.literal('archived'),
      /** Endpoints of the same owner on the host, which keep the host theirs. */
      othersOnHost: z.number(),
    }),
  },
  'GET /api/admin/platforms': { answer: pageAnswer(platform) },
  'POST /api/admin/platforms/:id/withdraw': changedPlatform,
  'POST /api/admin/platforms/:id/restore': changedPlatform,
} as const
