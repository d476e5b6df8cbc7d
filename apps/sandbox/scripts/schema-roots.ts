/** The SDK's types that the sandbox speaks: [file under stripe/esm/resources, exported or namespaced names]. */
export const requestRoots: readonly (readonly [string, readonly string[]])[] = [
  ['Products', ['ProductCreateParams', 'ProductUpdateParams', 'ProductListParams', 'ProductRetrieveParams']],
  ['Prices', ['PriceCreateParams', 'PriceUpdateParams', 'PriceListParams', 'PriceRetrieveParams']],
  [
    'Customers',
    [
      'CustomerCreateParams',
      'CustomerUpdateParams',
      'CustomerListParams',
      'CustomerRetrieveParams',
      'CustomerDeleteParams',
      'CustomerListPaymentMethodsParams',
    ],
  ],
  ['Tokens', ['TokenCreateParams', 'TokenRetrieveParams']],
  [
    'PaymentMethods',
    [
      'PaymentMethodCreateParams',
      'PaymentMethodRetrieveParams',
      'PaymentMethodUpdateParams',
      'PaymentMethodListParams',
      'PaymentMethodAttachParams',
      'PaymentMethodDetachParams',
    ],
  ],
  [
    'SetupIntents',
    [
      'SetupIntentCreateParams',
      'SetupIntentRetrieveParams',
      'SetupIntentListParams',
      'SetupIntentConfirmParams',
      'SetupIntentCancelParams',
    ],
  ],
  [
    'PaymentIntents',
    [
      'PaymentIntentRetrieveParams',
      'PaymentIntentListParams',
      'PaymentIntentConfirmParams',
      'PaymentIntentCancelParams',
    ],
  ],
  [
    'Subscriptions',
    [
      'SubscriptionCreateParams',
      'SubscriptionUpdateParams',
      'SubscriptionRetrieveParams',
      'SubscriptionListParams',
      'SubscriptionCancelParams',
    ],
  ],
  [
    'SubscriptionItems',
    ['SubscriptionItemListParams', 'SubscriptionItemRetrieveParams', 'SubscriptionItemUpdateParams'],
  ],
  [
    'Invoices',
    [
      'InvoiceListParams',
      'InvoiceRetrieveParams',
      'InvoicePayParams',
      'InvoiceVoidInvoiceParams',
      'InvoiceFinalizeInvoiceParams',
      'InvoiceCreatePreviewParams',
      'InvoiceListLineItemsParams',
    ],
  ],
  ['InvoicePayments', ['InvoicePaymentListParams', 'InvoicePaymentRetrieveParams']],
  [
    'Billing/Meters',
    [
      'Billing.MeterCreateParams',
      'Billing.MeterListParams',
      'Billing.MeterRetrieveParams',
      'Billing.MeterListEventSummariesParams',
    ],
  ],
  ['Billing/MeterEvents', ['Billing.MeterEventCreateParams']],
  ['Events', ['EventListParams', 'EventRetrieveParams']],
  [
    'WebhookEndpoints',
    [
      'WebhookEndpointCreateParams',
      'WebhookEndpointRetrieveParams',
      'WebhookEndpointUpdateParams',
      'WebhookEndpointListParams',
      'WebhookEndpointDeleteParams',
    ],
  ],
  [
    'TestHelpers/TestClocks',
    [
      'TestHelpers.TestClockCreateParams',
      'TestHelpers.TestClockRetrieveParams',
      'TestHelpers.TestClockListParams',
      'TestHelpers.TestClockDeleteParams',
      'TestHelpers.TestClockAdvanceParams',
    ],
  ],
]

export const responseRoots: readonly (readonly [string, readonly string[]])[] = [
  ['Products', ['Product']],
  ['Prices', ['Price']],
  ['Plans', ['Plan']],
  ['Customers', ['Customer', 'DeletedCustomer']],
  ['Cards', ['Card']],
  ['Tokens', ['Token']],
  ['PaymentMethods', ['PaymentMethod']],
  ['SetupIntents', ['SetupIntent']],
  ['PaymentIntents', ['PaymentIntent']],
  ['Subscriptions', ['Subscription']],
  ['SubscriptionItems', ['SubscriptionItem']],
  ['Invoices', ['Invoice']],
  ['InvoiceLineItems', ['InvoiceLineItem']],
  ['InvoicePayments', ['InvoicePayment']],
  ['Billing/Meters', ['Meter']],
  ['Billing/MeterEvents', ['MeterEvent']],
  ['Billing/MeterEventSummaries', ['MeterEventSummary']],
  ['Events', ['EventBase']],
  ['WebhookEndpoints', ['WebhookEndpoint', 'DeletedWebhookEndpoint']],
  ['TestHelpers/TestClocks', ['TestClock', 'DeletedTestClock']],
]
