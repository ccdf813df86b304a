import { z } from 'zod'
import type { Credentials } from './credentials.ts'
import { invalidResponse } from './invalidResponse.ts'

const answerSchema = z.object({
  data: z.object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.number() }),
})

/** Parses the session in the response of a sign-in or a renewal. @throws SvcApiError if there is none. */
export function sessionOf(
  answer: unknown,
  { email, now }: { email: string; now: number },
): NonNullable<Credentials['session']> {
  const parsed = answerSchema.safeParse(answer)
  if (!parsed.success) throw invalidResponse('a session')
  const { accessToken, refreshToken, expiresIn } = parsed.data.data
  return { email, refreshToken, accessToken, expiresAt: now + expiresIn * 1000 }
}
