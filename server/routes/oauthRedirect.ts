import { z } from 'zod'
import type { Answer } from '../middleware/call.ts'

/** An answer that sends the browser on. */
export const oauthRedirect = {
  /** Schema of its body, which is empty. */
  answer: z.literal(''),
  mediaType: 'text/plain',

  to(location: string, headers: Record<string, string>): Answer {
    return {
      status: 302,
      headers: { Location: location, ...headers },
      body: '',
      contentType: 'text/plain; charset=utf-8',
    }
  },

  /** To the page of the dashboard that ends a sign-in; what it is told stands behind the `#`, which no log sees. */
  toPage(appUrl: string, told: Record<string, string>, headers: Record<string, string>): Answer {
    return oauthRedirect.to(`${appUrl}/sign-in/callback#${new URLSearchParams(told)}`, headers)
  },
} as const
