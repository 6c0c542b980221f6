// Every operation of the API, the fields that are amounts, and every error code. Made by `npm run generate -w sdk` of the OpenAPI document; do not edit.

export const endpoints = {
  "cancelRefund": {
    "method": "DELETE",
    "path": "/api/v2/operations/{id}/refund_account",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "captureAuthorization": {
    "method": "POST",
    "path": "/api/v2/authorizations/{id}/capture",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "changeCallbackEndpoint": {
    "method": "PATCH",
    "path": "/api/v2/callback_endpoints/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "changeCustomer": {
    "method": "PATCH",
    "path": "/api/v2/customers/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "changeSubscription": {
    "method": "PATCH",
    "path": "/api/v2/subscriptions/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "chargeSubscription": {
    "method": "POST",
    "path": "/api/v2/subscriptions/{id}/charge",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "closePaymentLink": {
    "method": "DELETE",
    "path": "/api/v2/payment_links/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "createCallbackEndpoint": {
    "method": "POST",
    "path": "/api/v2/callback_endpoints",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "createCardAuthorization": {
    "method": "POST",
    "path": "/prows/v2/authorization",
    "keyed": true,
    "esb": true,
    "answer": "json"
  },
  "createCardPayment": {
    "method": "POST",
    "path": "/prows/v2/payment",
    "keyed": true,
    "esb": true,
    "answer": "json"
  },
  "createCheckout": {
    "method": "POST",
    "path": "/api/v2/checkout",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "createCustomer": {
    "method": "POST",
    "path": "/api/v2/customers",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "createMandate": {
    "method": "POST",
    "path": "/api/v2/mandate/mbway",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "createMobilePayment": {
    "method": "POST",
    "path": "/api/v2/payment",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "createPaymentLink": {
    "method": "POST",
    "path": "/api/v2/payment_links",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "createPayout": {
    "method": "POST",
    "path": "/api/v2/payouts",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "createRecurringReference": {
    "method": "POST",
    "path": "/api/v2/mb/reference",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "createReferencePayment": {
    "method": "POST",
    "path": "/api/v2/mb/pay",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "deleteCallbackEndpoint": {
    "method": "DELETE",
    "path": "/api/v2/callback_endpoints/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "deleteCard": {
    "method": "DELETE",
    "path": "/prows/v2/creditcard/{token}",
    "keyed": false,
    "esb": true,
    "answer": "json"
  },
  "deleteCustomer": {
    "method": "DELETE",
    "path": "/api/v2/customers/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "deleteCustomerPaymentMethod": {
    "method": "DELETE",
    "path": "/api/v2/customers/{id}/payment_methods/{method}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "deleteReference": {
    "method": "DELETE",
    "path": "/api/v2/mb/reference",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "downloadStatement": {
    "method": "GET",
    "path": "/api/v2/statement.csv",
    "keyed": false,
    "esb": false,
    "answer": "text"
  },
  "endMandate": {
    "method": "DELETE",
    "path": "/api/v2/mandate/mbway/{id}",
    "keyed": false,
    "esb": false,
    "answer": "none"
  },
  "getAuditHead": {
    "method": "GET",
    "path": "/api/v2/audit/head",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getAuthorization": {
    "method": "GET",
    "path": "/api/v2/authorizations/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getAutoChargeResults": {
    "method": "GET",
    "path": "/api/v2/auto_charges/results",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getBalance": {
    "method": "GET",
    "path": "/api/v2/balance",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getButtonImage": {
    "method": "GET",
    "path": "/api/v2/anon/images/button",
    "keyed": false,
    "esb": false,
    "answer": "bytes"
  },
  "getCallbackEndpoint": {
    "method": "GET",
    "path": "/api/v2/callback_endpoints/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getCard": {
    "method": "GET",
    "path": "/prows/v2/creditcard/{token}",
    "keyed": false,
    "esb": true,
    "answer": "json"
  },
  "getCharge": {
    "method": "GET",
    "path": "/api/v2/subscriptions/{id}/charge/{charge_id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getCheckout": {
    "method": "GET",
    "path": "/api/v2/checkout/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getCustomer": {
    "method": "GET",
    "path": "/api/v2/customers/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getEndpointDelivery": {
    "method": "GET",
    "path": "/api/v2/callback_endpoints/{id}/deliveries/{event_id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getMail": {
    "method": "GET",
    "path": "/api/v2/mails/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getMandate": {
    "method": "GET",
    "path": "/api/v2/mandate/mbway/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getOperation": {
    "method": "GET",
    "path": "/api/v2/operations/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getPaymentLink": {
    "method": "GET",
    "path": "/api/v2/payment_links/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getPayout": {
    "method": "GET",
    "path": "/api/v2/payouts/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getPayoutSchedule": {
    "method": "GET",
    "path": "/api/v2/payouts/schedule",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getRefundAccount": {
    "method": "GET",
    "path": "/api/v2/operations/{id}/refund_account",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getRequest": {
    "method": "GET",
    "path": "/api/v2/requests/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getStatement": {
    "method": "GET",
    "path": "/api/v2/statement",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "getSubscription": {
    "method": "GET",
    "path": "/api/v2/subscriptions/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listAuthorizations": {
    "method": "GET",
    "path": "/api/v2/authorizations",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listAutoCharges": {
    "method": "GET",
    "path": "/api/v2/auto_charges",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listCallbackEndpoints": {
    "method": "GET",
    "path": "/api/v2/callback_endpoints",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listCharges": {
    "method": "GET",
    "path": "/api/v2/subscriptions/{id}/charge",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listCustomerPaymentMethods": {
    "method": "GET",
    "path": "/api/v2/customers/{id}/payment_methods",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listCustomers": {
    "method": "GET",
    "path": "/api/v2/customers",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listEndpointDeliveries": {
    "method": "GET",
    "path": "/api/v2/callback_endpoints/{id}/deliveries",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listEvents": {
    "method": "GET",
    "path": "/api/v2/events",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listFees": {
    "method": "GET",
    "path": "/api/v2/fees",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listMailKinds": {
    "method": "GET",
    "path": "/api/v2/mails/kinds",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listMails": {
    "method": "GET",
    "path": "/api/v2/mails",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listMandates": {
    "method": "GET",
    "path": "/api/v2/mandate/mbway",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listOperations": {
    "method": "GET",
    "path": "/api/v2/operations",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listPaymentLinks": {
    "method": "GET",
    "path": "/api/v2/payment_links",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listPaymentMethods": {
    "method": "GET",
    "path": "/api/v2/wallets/methods",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listPayouts": {
    "method": "GET",
    "path": "/api/v2/payouts",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listRequests": {
    "method": "GET",
    "path": "/api/v2/request_log",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listStatementEntries": {
    "method": "GET",
    "path": "/api/v2/statement/{day}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listSubscriptions": {
    "method": "GET",
    "path": "/api/v2/subscriptions",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "listenToCallbacks": {
    "method": "GET",
    "path": "/api/v2/callback/listen",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "mailPaymentLink": {
    "method": "POST",
    "path": "/api/v2/payment_links/{id}/mail",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "pauseSubscription": {
    "method": "POST",
    "path": "/api/v2/subscriptions/{id}/pause",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "refundOperation": {
    "method": "POST",
    "path": "/api/v2/operations/{id}/refund",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "releaseAuthorization": {
    "method": "POST",
    "path": "/api/v2/authorizations/{id}/release",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "replaceCallbackEndpointSecret": {
    "method": "POST",
    "path": "/api/v2/callback_endpoints/{id}/secrets",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "resendToCallbackEndpoint": {
    "method": "POST",
    "path": "/api/v2/callback_endpoints/{id}/resend",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "resumeSubscription": {
    "method": "POST",
    "path": "/api/v2/subscriptions/{id}/resume",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "setMailKind": {
    "method": "PUT",
    "path": "/api/v2/mails/kinds/{kind}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "setPayoutSchedule": {
    "method": "PUT",
    "path": "/api/v2/payouts/schedule",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "splitOperation": {
    "method": "POST",
    "path": "/api/v2/operations/{id}/split",
    "keyed": true,
    "esb": false,
    "answer": "json"
  },
  "stopAutoCharge": {
    "method": "DELETE",
    "path": "/api/v2/subscriptions/{id}/auto_charge",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "storeCard": {
    "method": "POST",
    "path": "/prows/v2/creditcard",
    "keyed": true,
    "esb": true,
    "answer": "json"
  },
  "testCallbackEndpoint": {
    "method": "POST",
    "path": "/api/v2/callback_endpoints/{id}/test",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "verifyCallback": {
    "method": "POST",
    "path": "/api/v2/callback/verify",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "voidCheckout": {
    "method": "DELETE",
    "path": "/api/v2/checkout/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  },
  "voidSubscription": {
    "method": "DELETE",
    "path": "/api/v2/subscriptions/{id}",
    "keyed": false,
    "esb": false,
    "answer": "json"
  }
} as const


export const amountFields = [
  "amount",
  "amount_available",
  "amount_limit",
  "amount_max",
  "amount_min",
  "amount_net",
  "amount_paid",
  "available",
  "balance",
  "closing",
  "failed_amount",
  "fee",
  "fees",
  "keep",
  "max_amount",
  "minimum",
  "opening",
  "other",
  "payouts",
  "pending_payouts",
  "recovered_amount",
  "recovered_share",
  "refunds",
  "shares",
  "volume"
] as const


export const errorCodes = {
  10001: {
    "status": 400,
    "message": "Missing parameter"
  },
  10002: {
    "status": 400,
    "message": "Invalid parameter"
  },
  10004: {
    "status": 404,
    "message": "Resource not found"
  },
  10005: {
    "status": 404,
    "message": "Endpoint not found"
  },
  10007: {
    "status": 405,
    "message": "Action not found"
  },
  10009: {
    "status": 400,
    "message": "Invalid JSON format"
  },
  10010: {
    "status": 415,
    "message": "Invalid Content-Type"
  },
  10013: {
    "status": 409,
    "message": "Resource state does not allow the operation"
  },
  10014: {
    "status": 409,
    "message": "Request is being processed"
  },
  10015: {
    "status": 422,
    "message": "request_id was used with another body"
  },
  10016: {
    "status": 413,
    "message": "Body too large"
  },
  10029: {
    "status": 429,
    "message": "Too many requests"
  },
  19998: {
    "status": 503,
    "message": "Down for maintenance"
  },
  19999: {
    "status": 500,
    "message": "Internal server error"
  },
  20001: {
    "status": 401,
    "message": "Valid authentication required"
  },
  20002: {
    "status": 403,
    "message": "Access denied"
  },
  20004: {
    "status": 401,
    "message": "Invalid credentials"
  },
  20005: {
    "status": 401,
    "message": "Invalid API key"
  },
  20008: {
    "status": 503,
    "message": "Service unavailable, try again later"
  },
  20009: {
    "status": 403,
    "message": "No more PIN retries left"
  },
  20010: {
    "status": 403,
    "message": "Confirmation required"
  },
  20011: {
    "status": 403,
    "message": "Limit of the merchant reached"
  },
  30007: {
    "status": 402,
    "message": "Credit card declined"
  },
  30008: {
    "status": 402,
    "message": "Authentication failed"
  },
  40009: {
    "status": 400,
    "message": "Invalid minimum amount"
  },
  40010: {
    "status": 409,
    "message": "Operation is not refundable"
  },
  40012: {
    "status": 400,
    "message": "Amount exceeds the maximum permitted"
  },
  40013: {
    "status": 409,
    "message": "Total amount per period was reached"
  },
  40015: {
    "status": 409,
    "message": "Amount exceeds what remains"
  },
  40016: {
    "status": 409,
    "message": "Operation has pending operations"
  },
  40017: {
    "status": 409,
    "message": "Operation cannot be split"
  },
  40018: {
    "status": 400,
    "message": "Invalid split"
  },
  40019: {
    "status": 409,
    "message": "Too many captures"
  },
  40021: {
    "status": 503,
    "message": "Payment error, try again later"
  }
} as const
