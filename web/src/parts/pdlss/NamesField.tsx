import { TagsInput } from '@mantine/core'

type Props = {
  label: string
  help: string
  value: readonly string[]
  error?: string | undefined
  placeholder?: string | undefined
  options?: readonly string[] | undefined
  onChange: (names: string[]) => void
}

/** A list of names as chips: Enter or a comma adds one, Backspace removes the last. */
export function NamesField({ label, help, value, error, placeholder, options, onChange }: Props) {
  return (
    <TagsInput
      label={label}
      description={help}
      value={[...value]}
      onChange={onChange}
      error={error}
      data={[...(options ?? [])]}
      placeholder={value.length === 0 ? (placeholder ?? 'Type and press Enter') : ''}
      splitChars={[',', '\n']}
      acceptValueOnBlur
      maxTags={100}
      clearable={false}
    />
  )
}
