import { escapeControlCharacters } from './escapeControlCharacters.ts'

/** Characters that move the cursor, end a line or change the writing direction. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** Escapes what others wrote for a line of a terminal: nobody can forge lines or colours with a name. */
export function escapeForTerminal(text: string): string {
  return escapeControlCharacters(text, CONTROL_CHARACTERS)
}
