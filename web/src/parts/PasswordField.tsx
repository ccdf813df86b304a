import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A field for a password: the keyboard reaches the button that shows it, and screen readers hear that it is refused. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
