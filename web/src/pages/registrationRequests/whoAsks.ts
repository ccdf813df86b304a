import type { RegistrationRequest } from '../../api/types.ts'

/** Who asks for a registration, in words: somebody with a key of the account, or somebody who knows its address. */
export function whoAsks({ kind }: RegistrationRequest): string {
  return kind === 'api_key' ? 'Asked with one of your API keys' : 'Asked by somebody without an account here'
}
