/** A mistake in the settings, in one sentence. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
