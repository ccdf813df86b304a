import type { RingKey } from '../../external/keys/keyRing.ts'
import { parsePrivateJwk } from '../../external/keys/readSigningKey.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import { sealContexts } from '../../services/secrets/sealedValues.ts'
import type { SigningPurpose } from '../../services/secrets/signingKeys.ts'
import type { StoredSigningKey } from '../../store/secrets/signingKeyStore.ts'

/** Opens the stored keys of one purpose, which are those after its first. */
export function openLaterKeys(
  stored: readonly StoredSigningKey[],
  secrets: SecretBox,
  purpose: SigningPurpose,
): RingKey[] {
  return stored
    .filter((key) => key.purpose === purpose)
    .map(({ kid, sealed, signsFrom, formerUntil }) => {
      const jwk = parsePrivateJwk(secrets.open(sealed, sealContexts.signingKey(purpose, kid)))
      return { kid, jwk, signsFrom, formerUntil }
    })
}
