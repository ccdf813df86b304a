import { isJsonObject } from '@svc/core/json.ts'

/** The members of a text that is a JSON object; null for what is none. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
