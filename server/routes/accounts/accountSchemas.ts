import { z } from 'zod'

const role = z.enum(['owner', 'admin', 'member', 'viewer'])

const user = z.object({
  id: z.string(),
  developerId: z.string(),
  email: z.string().nullable(),
  isEmailVerified: z.boolean(),
  fullName: z.string().nullable(),
  accountType: z.enum(['individual', 'business']),
  role: z.enum(['user', 'operator']),
  kydStatus: z.enum(['none', 'verified']),
  createdAt: z.string(),
})

const membership = { role, status: z.enum(['invited', 'active', 'suspended']), createdAt: z.string() }

/** What several operations of accounts take and answer. Bounds: api.md "Envelope"; RFC 5321 §4.5.3. */
export const accountSchemas = {
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  /** Of a person, an organisation or a key. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, 'holds a control character'),
  /** Bounded above, because its hash is paid for by us. */
  newPassword: z.string().min(10).max(200),
  /** Of an authenticator app, or a recovery code; people type spaces and hyphens. */
  code: z.string().trim().min(6).max(40),
  mailedToken: z.string().min(1).max(200),
  refreshToken: z.string().min(1).max(200),
  role,
  user,
  organization: z.object({ organizationId: z.string(), name: z.string(), ...membership }),
  member: z.object({
    id: z.string(),
    userId: z.string().nullable(),
    email: z.string().nullable(),
    fullName: z.string().nullable(),
    ...membership,
  }),
  openSession: z.object({
    id: z.string(),
    isCurrent: z.boolean(),
    amr: z.array(z.string()),
    browser: z.string().nullable(),
    network: z.string().nullable(),
    signedInAt: z.string(),
    lastUsedAt: z.string(),
  }),
  apiKey: z.object({
    id: z.string(),
    name: z.string(),
    lastFour: z.string(),
    organizationId: z.string().nullable(),
    userId: z.string(),
    createdAt: z.string(),
  }),
  /** The answer that signs in. */
  session: z.object({
    success: z.literal(true),
    data: z.object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.number(), user }),
  }),
} as const
