import { z } from 'zod'

/** The query parameter that narrows a list to one organisation. */
export const ORGANIZATION_FILTER = { organizationId: z.string().min(1).max(64).optional() } as const
