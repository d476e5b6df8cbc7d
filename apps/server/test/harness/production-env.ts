/** Settings of a complete production server. */
export const productionEnv = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://app.plinth.example',
  DATABASE_URL: 'postgres://u:p@db.plinth.example/app?sslmode=verify-full',
  STRIPE_SECRET_KEY: 'sk_live_x1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x1',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  SMTP_URL: 'smtps://u:p@mail.plinth.example',
  MAIL_FROM: 'Acme <hello@acme.example>',
  SUPPORT_EMAIL: 'help@acme.example',
  APP_SECRET: 'x'.repeat(40),
}
