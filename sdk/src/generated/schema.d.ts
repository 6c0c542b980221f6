// Every body, parameter and answer of the API. Made by `npm run generate -w sdk` of the OpenAPI document; do not edit.
import type { Amount, AmountInput } from "../core/amounts.ts";
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Account
         * @description An account of the ledger.
         */
        Account: {
            /** @description merchant, consumer, fees, or clearing: and the method of the rail */
            account: string;
            /** @description Public id of the wallet, if the account is another wallet's. */
            public_id?: string;
        };
        /**
         * AddressRequest
         * @description Postal address. Each part can be missing, empty or null. The gateway leaves out an invalid part and says so in the header `Warning`.
         */
        AddressRequest: {
            /** @description Street and door number. */
            address?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description ISO 3166-1 alpha-2, such as PT */
            country?: string;
            /** @description Postal code, such as 1100-048. */
            postalcode?: string | null;
        };
        /**
         * AuditHead
         * @description Signed end of the history of your wallet.
         */
        AuditHead: {
            /** @description Number of your wallet. */
            wallet: string;
            /** @description Number of the link: 1, 2, … */
            number: number;
            /** @description SHA-256 over the previous link and the records since then. */
            hash: string;
            /** @description Number of postings of your operations that the head covers. */
            postings: number;
            /** @description Number of your events that the head covers. */
            events: number;
            /** @description All your records before this moment are included. Absent while the gateway chains records from before the chain existed. */
            through?: string;
            /** @description You have no records between the head and this moment. Not signed. */
            complete_through?: string;
            /** @description Head of the whole gateway at the time of signing. */
            gateway: components["schemas"]["GatewayHead"];
            /** @description Number of the signing key. */
            key: number;
            /** @description Ed25519 over `signed`, in base64. */
            signature: string;
            /** @description The signed text, byte for byte, with line ends. */
            signed: string;
            /** @description All keys so far, newest last. */
            keys: components["schemas"]["AuditKey"][];
        };
        /**
         * AuditKey
         * @description Public key of signed heads, current or earlier.
         */
        AuditKey: {
            /** @description Number of the key. */
            key: number;
            /** @description Ed25519 public key in PEM. */
            public_key: string;
        };
        /**
         * Authorization
         * @description An amount on hold, with its captures and releases.
         */
        Authorization: {
            /**
             * Format: uuid
             * @description Id of the operation.
             */
            id: string;
            /**
             * @description Type: PAYMENT, REFUND, AUTH (an amount on hold), CAPTURE, RELEASE, USERTRANSFER (a sub-merchant's share) or WALLETFUNDS (a payout).
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
            /**
             * @description NEW: no method chosen yet. PENDING: the customer or the network has not decided yet. COMPLETED, FAIL and VOIDED are final.
             * @enum {string}
             */
            status: "NEW" | "PENDING" | "COMPLETED" | "FAIL" | "VOIDED";
            /**
             * @description Payment method; absent until the customer has chosen.
             * @enum {string}
             */
            method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
            /** @description Negative for refunds. */
            amount: Amount;
            /** @description The amount less the fee. */
            amount_net: Amount;
            /** @description The fee of the gateway: negative, or 0. */
            fee: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description `true` if a part of it can be refunded now. */
            refundable: boolean;
            /** @description Moment of creation. */
            date: string;
            /** @description Moment of the last change. */
            modified_date: string;
            /** @description Address from which the customer paid. */
            ipaddress?: string;
            /**
             * @description Origin. WEBSITE: a checkout. API, BACKOFFICE: a program or a person. SCHEDULE: a payout by schedule. SPLIT: a share of a payment. BANK, RAIL: a report of a bank or a provider.
             * @enum {string}
             */
            channel?: "WEBSITE" | "API" | "BACKOFFICE" | "SCHEDULE" | "SPLIT" | "BANK" | "RAIL";
            /** @description Last moment to pay it; for an authorization, to capture it. */
            expires?: string;
            /** @description First moment to pay an instant reference. */
            starts?: string;
            /** @description `true` for an instant bank reference. */
            instant?: boolean;
            /**
             * Format: uuid
             * @description The operation that this one captures, releases or refunds.
             */
            parent?: string;
            /**
             * Format: uuid
             * @description The payment link that opened the checkout.
             */
            payment_link_id?: string;
            /** @description Remarks of the merchant. */
            notes?: string;
            /** @description The merchant's reference of the transaction. */
            ext_invoiceid?: string;
            /** @description The customer's e-mail address, for reference. */
            ext_email?: string;
            /** @description The merchant's reference of the customer. */
            ext_customerid?: string;
            /** @description Name of the employee. */
            ext_employee?: string;
            /** @description Lines of the purchase. */
            items?: components["schemas"]["PaymentItem"][];
            /** @description The customer: data from the merchant, completed by the customer. */
            client?: components["schemas"]["Customer"];
            /** @description The merchant that receives the money. */
            merchant?: components["schemas"]["Merchant"];
            /** @description The card that was used. */
            card?: components["schemas"]["PaidCard"];
            /** @description The bank reference for this payment. */
            mb?: {
                /** @description Entity of the bank reference: 5 digits. */
                entity: string;
                /** @description The bank reference: 9 digits. */
                ref: string;
            };
            /** @description The phone that received the request. */
            mbway?: {
                /** @description Phone number in E.164. */
                phone: string;
            };
            /** @description Address for the callbacks of this operation, if it differs from the wallet's address. */
            callback?: string;
            /** @description The customer's browser goes here when the operation completes. */
            cardsecure_url_confirm?: string;
            /** @description The customer's browser goes here when the operation fails. */
            cardsecure_url_cancel?: string;
            /** @description Send the customer to this address for 3-D Secure 2. The operation completes after that. */
            cardsecure_url_redirect?: string;
            /** @description How the payment is divided among sub-merchants. */
            splits?: {
                /** @description Number of shares. */
                total: number;
                /** @description The shares. */
                elements: components["schemas"]["Share"][];
            };
            /**
             * @description `true`: this is a preview; nothing was changed.
             * @constant
             */
            dry_run?: true;
            /** @description Only in a dry run: how the amounts are computed, in euros as texts. */
            calculation?: Record<string, never>;
            /** @description Only in a dry run: the postings it would write. */
            postings?: components["schemas"]["Posting"][];
            /** @description All captures, oldest first: the newest 1000, and in a list the newest 30; `GET /api/v2/operations?parent=<id>` lists all, in pages. */
            captures: components["schemas"]["Operation"][];
            /** @description All releases, oldest first: the newest 1000, and in a list the newest 30; `GET /api/v2/operations?parent=<id>` lists all, in pages. */
            releases: components["schemas"]["Operation"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * AuthorizationList
         * @description A page of authorizations.
         */
        AuthorizationList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["Authorization"][];
        };
        /**
         * AutoCharge
         * @description A charge that the gateway makes in each cycle.
         */
        AutoCharge: {
            /**
             * @description NEW until the customer accepts. ACTIVE, PAUSED (by you), or ENDED: no further charge.
             * @enum {string}
             */
            status: "NEW" | "ACTIVE" | "PAUSED" | "ENDED";
            /** @description Charged in each cycle that is not charged yet. */
            amount: Amount;
            /** @description Your reference, without the number. */
            ext_invoiceid?: string;
            /** @description Lines. */
            items?: {
                [key: string]: unknown;
            }[];
            /** @description Number of cycles to charge. */
            max_charges?: number;
            /** @description Days from the first attempt of a cycle to each further one. */
            retries: number[];
            /** @description Number of cycles charged, also those that failed. */
            charges: number;
            /** @description The latest attempt. */
            latest?: components["schemas"]["LatestAutoCharge"];
            /**
             * Format: date
             * @description Lisbon day of the next attempt, at 08:00. Absent after the last.
             */
            next_on?: string;
        };
        /**
         * AutoChargeEntry
         * @description A subscription that charges itself.
         */
        AutoChargeEntry: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_id: string;
            /** @description Your reference of the subscription. */
            ext_subscriptionid?: string;
            /** @description Name of the subscription. */
            description?: string;
            /** @description A charge that the gateway makes in each cycle. */
            auto_charge: components["schemas"]["AutoCharge"];
        };
        /**
         * AutoChargeList
         * @description A page of the calendar.
         */
        AutoChargeList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["AutoChargeEntry"][];
        };
        /**
         * AutoChargeRequest
         * @description A charge that the gateway makes in each cycle.
         */
        AutoChargeRequest: {
            /** @description Charged in each cycle, at most `amount` of the subscription. Required at first. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount?: AmountInput;
            /** @description Your reference. Each charge gets its number after it: `CLUB` becomes `CLUB-1`, `CLUB-2`. */
            ext_invoiceid?: string | null;
            /** @description Lines of the purchase, which the customer sees. */
            items?: components["schemas"]["PaymentItemRequest"][];
            /** @description Number of cycles to charge, also those that fail. Default: no end. */
            max_charges?: number;
            /** @description Days from the first attempt of a cycle to each further one, ascending. Default: [1, 3, 5, 7]. [] makes one attempt. */
            retries?: number[];
        };
        /**
         * AutoChargeResults
         * @description Results of automatic charges.
         */
        AutoChargeResults: {
            /** @description Cycles charged in these days. The attempts of a cycle count once. */
            cycles: number;
            /** @description Paid at the first attempt. */
            paid_at_once: number;
            /** @description Paid at a later attempt. */
            recovered: number;
            /** @description Not paid yet: another attempt or its answer follows. */
            retrying: number;
            /** @description Not paid, and no attempt follows. */
            failed: number;
            /** @description Total of the recovered charges. */
            recovered_amount: Amount;
            /** @description Total of the failed charges. */
            failed_amount: Amount;
            /** @description Recovered charges among those that were refused at first and are decided: from 0 to 1. */
            recovered_share?: Amount;
            /** @description Why first attempts were refused, the most frequent first. */
            reasons: components["schemas"]["RefusalCount"][];
        };
        /**
         * Balance
         * @description The balance of the wallet.
         */
        Balance: {
            /** @description Balance in euros. Negative if the wallet owes the gateway. */
            balance: Amount;
            /** @description Total of the pending payouts, and of pending refunds to a bank account. */
            pending_payouts: Amount;
            /** @description The balance less `pending_payouts`. */
            available: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Moment at which this balance was read. */
            date: string;
        };
        /**
         * CallbackEndpoint
         * @description A further address for callbacks.
         */
        CallbackEndpoint: {
            /**
             * Format: uuid
             * @description Id of the endpoint.
             */
            id: string;
            /** @description Number from 2 to 10. The address of your wallet is number 1. */
            number: number;
            /** @description Address that receives the callbacks. */
            url: string;
            /** @description Name for your team. */
            description?: string;
            /** @description Kinds of event that it gets. Empty: every kind. */
            kinds: ("operation" | "card_stored" | "mandate" | "subscription" | "charge")[];
            /**
             * @description A `PAUSED` endpoint gets its events after the pause.
             * @enum {string}
             */
            status: "ACTIVE" | "PAUSED";
            /** @description User of `Authorization: Basic`. Equals the id. */
            callback_user: string;
            /** @description Until then the old password works too. */
            callback_secret_overlap?: string;
            /** @description Until then callbacks are signed with the old secret too. */
            callback_signing_secret_overlap?: string;
            /** @description Time of creation. */
            date: string;
            /** @description Time of the last change. */
            modified_date: string;
            /** @description Health of its deliveries. */
            health: components["schemas"]["EndpointHealth"];
        };
        /**
         * CallbackEndpointChanges
         * @description The fields to change. Absent fields stay as they are.
         */
        CallbackEndpointChanges: {
            /**
             * Format: uri
             * @description Address that receives the callbacks. In production: `https`, and a public host.
             */
            url?: string;
            /** @description Name for your team, such as the program behind it. At most 100 characters. */
            description?: string;
            /** @description Kinds of event to send: operation, card_stored, mandate, subscription, charge. Empty: every kind. Default: every kind. */
            kinds?: ("operation" | "card_stored" | "mandate" | "subscription" | "charge")[];
            /**
             * @description New status: ACTIVE or PAUSED. A paused endpoint gets its events after the pause.
             * @enum {string}
             */
            status?: "ACTIVE" | "PAUSED";
        };
        /**
         * CallbackEndpointList
         * @description The further endpoints of the wallet.
         */
        CallbackEndpointList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["CallbackEndpoint"][];
        };
        /**
         * CallbackEndpointRequest
         * @description A further address for callbacks.
         */
        CallbackEndpointRequest: {
            /**
             * Format: uri
             * @description Address that receives the callbacks. In production: `https`, and a public host.
             */
            url: string;
            /** @description Name for your team, such as the program behind it. At most 100 characters. */
            description?: string;
            /** @description Kinds of event to send: operation, card_stored, mandate, subscription, charge. Empty: every kind. Default: every kind. */
            kinds?: ("operation" | "card_stored" | "mandate" | "subscription" | "charge")[];
        };
        /**
         * CaptureOrReleaseRequest
         * @description The body and every field are optional. Default: the whole rest.
         */
        CaptureOrReleaseRequest: {
            /**
             * @description `true` for a preview that changes nothing. Default: `false`.
             * @default false
             */
            dry_run?: boolean;
            /** @description Amount in euros. Default: the rest. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount?: AmountInput;
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * CardByToken
         * @description A stored card, authenticated when it was stored.
         */
        CardByToken: {
            /**
             * Format: uuid
             * @description Token of a stored card of your wallet.
             */
            token: string;
        };
        /**
         * CardPaymentRequest
         * @description A card payment. Send exactly one of `newCard`, `newCardSecure` and `card`.
         */
        CardPaymentRequest: {
            /** @description Amount to pay or to reserve, in euros. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount: AmountInput;
            /**
             * @description Currency (ISO 4217). Only `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /**
             * @description Always CC. Optional.
             * @default CC
             * @enum {string}
             */
            method?: "CC";
            /**
             * Format: uri
             * @description Address for the callbacks of this operation: absolute, https in production.
             */
            callback: string;
            /**
             * Format: uri
             * @description Address for the customer after success: absolute, https in production.
             */
            cardsecure_url_confirm: string;
            /**
             * Format: uri
             * @description Address for the customer after failure: absolute, https in production.
             */
            cardsecure_url_cancel: string;
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /** @description Plain card data. Requires the right `pci_dss` and a key with the permission `card_plain`. */
            newCard?: components["schemas"]["NewCard"];
            /** @description Card data, encrypted by the secure form fields in the customer’s browser. */
            newCardSecure?: components["schemas"]["NewCardSecure"];
            /** @description A stored card, authenticated when it was stored. */
            card?: components["schemas"]["CardByToken"];
            /** @description Lines of the purchase, which the customer sees. */
            items?: components["schemas"]["PaymentItemRequest"][];
            /** @description The customer, as far as you know them. Pages of the gateway ask for the rest. */
            client?: components["schemas"]["ClientRequest"];
            /** @description Sub-merchants that receive a share: at most 100 descriptors. Default: none. For an authorization: how to divide each capture. Needs the right `marketplace` and the permission `split`. */
            split?: components["schemas"]["SplitDescriptor"][];
            /**
             * @description Accepted for compatibility; has no effect.
             * @default false
             */
            instant?: boolean | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * CardSecureResponse
         * @description The address for authentication.
         */
        CardSecureResponse: {
            /** @description Address for the customer to authenticate (3-D Secure 2). The card is stored after that. */
            cardsecure_url_redirect: string;
        };
        /**
         * CardStoredCallback
         * @description The result of storing a card.
         */
        CardStoredCallback: {
            /**
             * @description Always ADD_CARD.
             * @constant
             */
            type: "ADD_CARD";
            /**
             * @description Result of storing the card.
             * @enum {string}
             */
            event: "COMPLETED" | "FAIL";
            /** @description Token of the card, in upper case. Only with COMPLETED. */
            token?: string;
            /**
             * Format: uuid
             * @description The `request_id` of the request to store the card.
             */
            request_id: string;
        };
        /**
         * ChargeCallback
         * @description A charge was processed.
         */
        ChargeCallback: {
            /**
             * @description Result of the charge.
             * @enum {string}
             */
            event: "SUCCESS" | "FAIL";
            /**
             * Format: uuid
             * @description The charge.
             */
            charge_order_id: string;
            /** @description Amount in euros. */
            amount: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_id: string;
            /** @description Your reference of the subscription. */
            ext_subscriptionid: string | null;
            /** @description Reason of the failure, in a word. */
            error?: string;
            /** @description Your reference of the charge. */
            ext_invoiceid: string | null;
            /** @description Present for charges that the gateway makes. */
            auto_charge?: components["schemas"]["NumberedCharge"];
        };
        /**
         * ChargeList
         * @description A page of charges.
         */
        ChargeList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["ListedCharge"][];
        };
        /**
         * ChargeOrder
         * @description A charge of a subscription.
         */
        ChargeOrder: {
            /**
             * Format: uuid
             * @description Id of the charge.
             */
            id: string;
            /**
             * Format: uuid
             * @description The subscription of the charge.
             */
            subscription_id: string;
            /** @description Amount in euros. */
            amount: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Your reference of the charge. */
            ext_invoiceid?: string;
            /**
             * @description NEW: accepted. PROCESSING: the customer is being charged. SUCCESS and FAIL are final.
             * @enum {string}
             */
            status: "NEW" | "PROCESSING" | "SUCCESS" | "FAIL";
            /** @description Moment at which it was accepted. */
            date?: string;
            /** @description Reason of a failed automatic charge, in a word. */
            error?: string;
            /** @description Present for charges that the gateway makes. */
            auto_charge?: components["schemas"]["NumberedCharge"];
        } & {
            [key: string]: unknown;
        };
        /**
         * ChargePaymentRequest
         * @description The amount and your reference.
         */
        ChargePaymentRequest: {
            /** @description Amount in euros, at most the rest of the billing cycle. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount: AmountInput;
            /**
             * @description Currency (ISO 4217). Only `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Your reference of the charge. */
            ext_invoiceid?: string | null;
            /** @description Lines of the purchase, which the customer sees. */
            items?: components["schemas"]["PaymentItemRequest"][];
            /** @description The customer, as far as you know them. Pages of the gateway ask for the rest. */
            client?: components["schemas"]["ClientRequest"];
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * ChargeRequest
         * @description A charge of a subscription.
         */
        ChargeRequest: {
            /** @description The amount and your reference. */
            payment: components["schemas"]["ChargePaymentRequest"];
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * Checkout
         * @description A page on which a customer pays.
         */
        Checkout: {
            /**
             * Format: uuid
             * @description Id of the checkout. Equals `checkoutid` in the return addresses.
             */
            id: string;
            /** @description Page for the customer after success, with `checkoutid`. */
            url_confirm: string;
            /** @description Page for the customer after cancelling, with `checkoutid`. */
            url_cancel: string;
            /** @description Send the customer here. Append `?lang=en` or `?locale=pt_PT` to set the language. Default: the language of the browser. */
            url_redirect: string;
            /** @description Codes of the excluded methods. */
            exclude: ("CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK" | "GPAY" | "APAY")[];
            /** @description Fields that the customer must fill in before paying. */
            required_fields: components["schemas"]["RequiredFields"];
            /** @description Whether the page asks for a delivery address. */
            shipping: boolean;
            /** @description Always false. */
            allows_punch_card_stamp: boolean;
            /** @description Time of creation. */
            date: string;
            /** @description The customer that you named. */
            customer?: components["schemas"]["CustomerOfCheckout"];
            /** @description The payment. Its status is the result of the checkout: `NEW` until the customer chooses a method. */
            payment?: components["schemas"]["Operation"];
            /** @description The authorization and its status. */
            authorization?: components["schemas"]["Operation"];
            /** @description The subscription and its status. */
            subscription?: components["schemas"]["Subscription"];
        } & {
            [key: string]: unknown;
        };
        /**
         * CheckoutCustomer
         * @description The customer who is signed in to your shop. The page offers the cards that this customer saved, and the mandate of MB WAY. Needs the permission `customers`.
         */
        CheckoutCustomer: {
            /**
             * Format: uuid
             * @description Id of one of your customers.
             */
            id?: string | null;
        };
        /**
         * CheckoutPaymentRequest
         * @description The payment or reservation.
         */
        CheckoutPaymentRequest: {
            /** @description Amount that the customer pays, or that is reserved. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount: AmountInput;
            /**
             * @description Currency (ISO 4217). Only `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /** @description Lines of the purchase, which the customer sees. */
            items?: components["schemas"]["PaymentItemRequest"][];
            /** @description The customer, as far as you know them. Pages of the gateway ask for the rest. */
            client?: components["schemas"]["ClientRequest"];
            /** @description Number of one of the stores of your wallet. */
            store?: number;
            /** @description Sub-merchants that receive a share: at most 100 descriptors. Default: none. For an authorization: how to divide each capture. Needs the right `marketplace` and the permission `split`. */
            split?: components["schemas"]["SplitDescriptor"][];
            /** @description Last moment to pay (ISO 8601 date, in the future). The same as `expires` of the checkout. */
            expires?: string | null;
            /** @description First moment to pay an instant reference (ISO 8601 date). Default: now. */
            starts?: string | null;
            /**
             * @description Whether method MB creates an instant reference, payable for less than a day. `expires` is then required. Default: `false`.
             * @default false
             */
            instant?: boolean | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * CheckoutRequest
         * @description Exactly one of `payment`, `authorization` and `subscription`, or `payment` with `subscription`.
         */
        CheckoutRequest: {
            /** @description The payment. Alone, or with `subscription`: both succeed or both fail. */
            payment?: components["schemas"]["CheckoutPaymentRequest"];
            /** @description The authorization: an amount to reserve and capture later. Alone. */
            authorization?: components["schemas"]["CheckoutPaymentRequest"];
            /** @description The subscription: permission for later charges. Alone, or with `payment`. */
            subscription?: components["schemas"]["SubscriptionRequest"];
            /**
             * Format: uri
             * @description Page for the customer after success. Absolute address, https in production. The gateway adds `checkoutid=<id>` to its query.
             */
            url_confirm: string;
            /**
             * Format: uri
             * @description Page for the customer after cancelling. Default: `url_confirm`. Absolute address, https in production. The gateway adds `checkoutid=<id>` to its query.
             */
            url_cancel?: string;
            /** @description Codes of methods to leave out, such as `["MB"]`. Unknown codes are ignored with a `Warning`. */
            exclude?: ("CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK" | "GPAY" | "APAY")[];
            /**
             * @description Method that is selected when the page opens, such as `MBWAY`.
             * @enum {string}
             */
            default_method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK" | "GPAY" | "APAY";
            /** @description Fields that the customer must fill in before paying. */
            required_fields?: components["schemas"]["RequiredFields"];
            /** @description The customer who is signed in to your shop. The page offers the cards that this customer saved, and the mandate of MB WAY. Needs the permission `customers`. */
            customer?: components["schemas"]["CheckoutCustomer"];
            /** @description Last moment to pay (ISO 8601 date, in the future). A day without a time means its end in Lisbon, unless the payment is `instant`. Default: 24 hours from now. */
            expires?: string | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * ClientRequest
         * @description The customer, as far as you know them. Pages of the gateway ask for the rest.
         */
        ClientRequest: {
            /** @description Name of the customer. */
            name?: string | null;
            /** @description E-mail address. */
            email?: string | null;
            /** @description Phone number with + and country code, such as +351911234567. */
            phone?: string | null;
            /** @description Postal address. Each part can be missing, empty or null. The gateway leaves out an invalid part and says so in the header `Warning`. */
            address?: components["schemas"]["AddressRequest"];
        };
        /**
         * CreditCard
         * @description A stored card.
         */
        CreditCard: {
            /** @description Token of the card, in upper case. */
            token: string;
            /** @description The last 4 digits of the number. */
            last4: string;
            /** @description The first 6 digits of the number. */
            bin: string;
            /** @description The brand, in lower case. */
            type: string;
            /** @description Expiry month, as MM/YYYY. */
            valdate: string;
            /** @description Whether the card has expired. */
            expired: boolean;
            /**
             * @description Whether the cardholder was authenticated at storing.
             * @enum {string}
             */
            verification_status: "VERIFIED" | "UNVERIFIED";
            /** @description Whether the card was deleted. A deleted card cannot pay. */
            voided: boolean;
            /** @description Name on the card. */
            name?: string;
        };
        /**
         * Customer
         * @description The customer: data from the merchant, completed by the customer.
         */
        Customer: {
            /** @description Name of the customer. */
            name?: string;
            /** @description E-mail address. */
            email?: string;
            /** @description Phone number in E.164, such as +351911234567. */
            phone?: string;
            /** @description Postal address. */
            address?: {
                /** @description Street and door number. */
                address?: string;
                /** @description City. */
                city?: string;
                /** @description ISO 3166-1 alpha-2 code, such as PT. */
                country?: string;
                /** @description Postal code, if the customer typed it on a page of the gateway. */
                postalcode?: string;
            };
        };
        /**
         * CustomerChange
         * @description The fields to change. An empty text removes a value.
         */
        CustomerChange: {
            /** @description Your reference of the customer. No two customers of your wallet have the same one. */
            ext_customerid?: string | null;
            /** @description Name of the customer. */
            name?: string | null;
            /** @description E-mail address. */
            email?: string | null;
            /** @description Phone number with + and country code, such as +351911234567. */
            phone?: string | null;
        };
        /**
         * CustomerOfCheckout
         * @description The customer that you named.
         */
        CustomerOfCheckout: {
            /**
             * Format: uuid
             * @description Id of the customer.
             */
            id: string;
        };
        /**
         * CustomerRequest
         * @description A customer of your shop. Every field is optional.
         */
        CustomerRequest: {
            /** @description Your reference of the customer. No two customers of your wallet have the same one. */
            ext_customerid?: string | null;
            /** @description Name of the customer. */
            name?: string | null;
            /** @description E-mail address. */
            email?: string | null;
            /** @description Phone number with + and country code, such as +351911234567. */
            phone?: string | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * DeletedCallbackEndpoint
         * @description Empty.
         */
        DeletedCallbackEndpoint: Record<string, never>;
        /**
         * DeleteReferenceRequest
         * @description A reference to delete: `entity` and `ref`, or `mb` with both.
         */
        DeleteReferenceRequest: {
            /** @description Entity: 5 digits. */
            entity?: string;
            /** @description Reference: 9 digits, also in groups. Alias: `reference`. */
            ref?: string;
            /** @description `entity` and `ref` together, as in an answer. Use either this or the two fields above. */
            mb?: {
                /** @description Entity: 5 digits. */
                entity?: string;
                /** @description Reference: 9 digits, also in groups. Alias: `reference`. */
                ref?: string;
            };
        };
        /**
         * Delivery
         * @description State of its delivery.
         */
        Delivery: {
            /**
             * @description `DUE`: not sent yet. `DELIVERED`: answered with 2xx. `VERIFIED`: verified by you. `GIVEN_UP`: no 2xx within two days. `NO_ENDPOINT`: no address.
             * @enum {string}
             */
            state: "DUE" | "DELIVERED" | "GIVEN_UP" | "VERIFIED" | "NO_ENDPOINT";
            /** @description Number of attempts. */
            attempts: number;
            /** @description Its own address, if the request set one. */
            url?: string;
            /** @description HTTP status of the last answer. */
            last_status?: number;
            /** @description Reason why the last attempt got no answer. */
            last_error?: string;
            /** @description Time of the next attempt. */
            next_attempt?: string;
        };
        /**
         * DirectPaymentRequest
         * @description A payment by MB WAY. Send exactly one of `mbway.phone` and `mandate_id`.
         */
        DirectPaymentRequest: {
            /**
             * @description Always MBWAY. Optional.
             * @default MBWAY
             * @enum {string}
             */
            method?: "MBWAY";
            /**
             * @description Whether it is paid, or reserved to be captured.
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH";
            /** @description Amount that the customer approves, in euros. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount: AmountInput;
            /**
             * @description Currency (ISO 4217). Only `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Payer: phone number or mandate. */
            mbway?: components["schemas"]["MobileWalletPayer"];
            /**
             * Format: uuid
             * @description Id of an ACTIVE mandate, instead of the phone: the customer is not asked. Requires the permission `mandates`.
             */
            mandate_id?: string | null;
            /**
             * Format: uri
             * @description Address for the callbacks of this operation: absolute, https in production. Default: the address of the wallet.
             */
            callback?: string | null;
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /** @description Lines of the purchase, which the customer sees. */
            items?: components["schemas"]["PaymentItemRequest"][];
            /** @description The customer, as far as you know them. Pages of the gateway ask for the rest. */
            client?: components["schemas"]["ClientRequest"];
            /** @description Number of one of the stores of your wallet. */
            store?: number;
            /** @description Sub-merchants that receive a share: at most 100 descriptors. Default: none. For an authorization: how to divide each capture. Needs the right `marketplace` and the permission `split`. */
            split?: components["schemas"]["SplitDescriptor"][];
            /**
             * @description Accepted for compatibility; has no effect.
             * @default false
             */
            instant?: boolean | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * EndpointAttempt
         * @description An attempt.
         */
        EndpointAttempt: {
            /** @description Time of the attempt. */
            date: string;
            /** @description HTTP status of the answer. */
            status?: number;
            /** @description Reason why there was no answer. */
            error?: string;
            /** @description Duration in milliseconds. */
            duration_ms: number;
        };
        /**
         * EndpointDelivery
         * @description An event on its way to an endpoint.
         */
        EndpointDelivery: {
            /**
             * Format: uuid
             * @description Id of the event. Equals its `webhook-id`.
             */
            event_id: string;
            /**
             * @description Kind of its subject, such as `operation`.
             * @enum {string}
             */
            kind: "operation" | "card_stored" | "mandate" | "subscription" | "charge" | "ping";
            /** @description The new status, such as `COMPLETED`, or the name of the event. */
            event: string;
            /**
             * Format: uuid
             * @description The operation, mandate, subscription, charge or request that it is about.
             */
            subject_id: string;
            /**
             * @description `DUE`: not received yet. `DELIVERED`: answered with 2xx. `GIVEN_UP`: no 2xx within two days.
             * @enum {string}
             */
            status: "DUE" | "DELIVERED" | "GIVEN_UP";
            /** @description Number of attempts since it was last made due. */
            attempts: number;
            /** @description HTTP status of the last answer. */
            last_status?: number;
            /** @description Reason why the last attempt got no answer. */
            last_error?: string;
            /** @description Time of the event. */
            date: string;
            /** @description Time of the next attempt. */
            next_attempt?: string;
            /** @description Time of the last status. */
            finished?: string;
        };
        /**
         * EndpointDeliveryList
         * @description A page of deliveries.
         */
        EndpointDeliveryList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["EndpointDelivery"][];
        };
        /**
         * EndpointDeliveryWithAttempts
         * @description A delivery with its attempts.
         */
        EndpointDeliveryWithAttempts: {
            /**
             * Format: uuid
             * @description Id of the event. Equals its `webhook-id`.
             */
            event_id: string;
            /**
             * @description Kind of its subject, such as `operation`.
             * @enum {string}
             */
            kind: "operation" | "card_stored" | "mandate" | "subscription" | "charge" | "ping";
            /** @description The new status, such as `COMPLETED`, or the name of the event. */
            event: string;
            /**
             * Format: uuid
             * @description The operation, mandate, subscription, charge or request that it is about.
             */
            subject_id: string;
            /**
             * @description `DUE`: not received yet. `DELIVERED`: answered with 2xx. `GIVEN_UP`: no 2xx within two days.
             * @enum {string}
             */
            status: "DUE" | "DELIVERED" | "GIVEN_UP";
            /** @description Number of attempts since it was last made due. */
            attempts: number;
            /** @description HTTP status of the last answer. */
            last_status?: number;
            /** @description Reason why the last attempt got no answer. */
            last_error?: string;
            /** @description Time of the event. */
            date: string;
            /** @description Time of the next attempt. */
            next_attempt?: string;
            /** @description Time of the last status. */
            finished?: string;
            /** @description The last 100 attempts, newest first. */
            answers: components["schemas"]["EndpointAttempt"][];
        };
        /**
         * EndpointHealth
         * @description Health of its deliveries.
         */
        EndpointHealth: {
            /** @description Number of callbacks that wait for an attempt, at most 10000. */
            backlog: number;
            /** @description Number of callbacks that failed for good, at most 10000. */
            given_up: number;
            /** @description Last attempt that your program answered with 2xx. */
            last_received?: string;
            /** @description First failed attempt since then. Absent: it works. */
            failing_since?: string;
            /** @description HTTP status of the last answer. */
            last_status?: number;
            /** @description Reason why the last attempt got no answer. */
            last_error?: string;
        };
        /**
         * EndpointResendRequest
         * @description One event, or all that failed.
         */
        EndpointResendRequest: {
            /**
             * Format: uuid
             * @description Event to send. Default: all with the status `GIVEN_UP`, oldest first, 100 a second.
             */
            event_id?: string;
        };
        /**
         * EndpointResent
         * @description The number of callbacks to send.
         */
        EndpointResent: {
            /** @description Number of callbacks that will be sent. */
            resent: number;
            /** @description Whether more have failed: repeat the request. */
            more: boolean;
        };
        /**
         * EndpointSecret
         * @description The new secret.
         */
        EndpointSecret: {
            /**
             * @description The replaced secret.
             * @enum {string}
             */
            kind: "callback_secret" | "callback_signing_secret";
            /** @description The new secret. Shown only now. */
            secret: string;
            /** @description Until then the old secret works too. */
            overlap: string;
        };
        /**
         * EndpointSecretRequest
         * @description The secret to replace.
         */
        EndpointSecretRequest: {
            /**
             * @description The secret to replace: `callback_secret` or `callback_signing_secret`.
             * @enum {string}
             */
            kind: "callback_secret" | "callback_signing_secret";
        };
        /**
         * EndpointTest
         * @description The test is waiting to be sent.
         */
        EndpointTest: {
            /**
             * Format: uuid
             * @description The test: read its delivery.
             */
            event_id: string;
        };
        /**
         * Error
         * @description Body of every 4xx and 5xx answer.
         */
        Error: {
            /** @description Error code. Use this number in your program: its meaning never changes. */
            code: number;
            /** @description Title of the error. The same for every error with this code. */
            message: string;
            /** @description Details for people: the field or rule, and the accepted values. The text can change. */
            reason: string;
            /**
             * Format: uri
             * @description Address of the page that explains the code.
             */
            link: string;
            /**
             * Format: uuid
             * @description Id of this request in the logs of the gateway. Equals the header `X-Request-Id`.
             */
            tid: string;
            /**
             * Format: uuid
             * @description Id of the failed operation, if the request created one.
             */
            operation_id?: string;
        };
        /**
         * Event
         * @description An event that a callback reports.
         */
        Event: {
            /**
             * Format: uuid
             * @description Id of the event. Equals the `webhook-id` of every attempt.
             */
            id: string;
            /**
             * @description Kind of its subject, such as `operation`.
             * @enum {string}
             */
            kind: "operation" | "card_stored" | "mandate" | "subscription" | "charge" | "ping";
            /** @description The new status, such as `COMPLETED`, or the name of the event. */
            event: string;
            /** @description Time of the event. */
            date: string;
            /** @description The body of the callback, exactly as sent. */
            body: unknown;
            /** @description State of its delivery. */
            delivery: components["schemas"]["Delivery"];
        };
        /**
         * EventPage
         * @description Events in their order.
         */
        EventPage: {
            /** @description Events, oldest first. */
            events: components["schemas"]["Event"][];
            /** @description Send it as `after` in the next request, even if there are no more events yet. */
            next: string;
            /** @description Whether more events are available now. */
            more: boolean;
        };
        /**
         * Fees
         * @description The fees of the gateway.
         */
        Fees: {
            /**
             * Format: date
             * @description The first Lisbon day.
             */
            startdate: string;
            /**
             * Format: date
             * @description The last Lisbon day.
             */
            enddate: string;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Each month and method with payments. */
            elements: components["schemas"]["FeesOfMonth"][];
        };
        /**
         * FeesOfMonth
         * @description The fees of one method in one month.
         */
        FeesOfMonth: {
            /** @description As yyyy-mm. */
            month: string;
            /** @description Payment method. */
            method: string;
            /** @description Number of payments. */
            payments: number;
            /** @description Payments before fees, in euros. */
            volume: Amount;
            /** @description Fees in euros: zero or negative. */
            fees: Amount;
        };
        /**
         * GatewayHead
         * @description Head of the whole gateway at the time of signing.
         */
        GatewayHead: {
            /** @description Number of the batch. */
            number: number;
            /** @description SHA-256 over the previous batch and the links of all wallets. */
            hash: string;
        };
        /**
         * LatestAutoCharge
         * @description The latest attempt.
         */
        LatestAutoCharge: {
            /**
             * Format: uuid
             * @description The charge.
             */
            charge_id: string;
            /** @description Number of the attempt in the cycle. */
            attempt: number;
            /**
             * @description CHARGING: no answer yet. RETRYING: refused, another attempt follows. FAILED: no attempt follows in this cycle.
             * @enum {string}
             */
            result: "CHARGING" | "PAID" | "RETRYING" | "FAILED";
            /** @description Reason of the refusal, in a word. */
            error?: string;
        };
        /**
         * ListedCharge
         * @description A charge in a list.
         */
        ListedCharge: {
            /** @description A charge of a subscription. */
            charge_order: components["schemas"]["ChargeOrder"];
        };
        /**
         * ListedSubscription
         * @description A subscription in a list.
         */
        ListedSubscription: {
            /** @description A permission for repeated charges. */
            subscription: components["schemas"]["Subscription"];
        };
        /**
         * LoggedRequest
         * @description A request of one of your programs.
         */
        LoggedRequest: {
            /**
             * Format: uuid
             * @description The `tid` of its answer. Equals `X-Request-Id`.
             */
            tid: string;
            /** @description Time of the answer. */
            date: string;
            /** @description Id of the API key: its 8 letters in the middle. */
            key: string;
            /** @description HTTP method, such as `POST`. */
            method: string;
            /** @description Path and query of the request, without secrets. */
            path: string;
            /** @description HTTP status of the answer. */
            status: number;
            /** @description Error code, if it was refused. */
            code?: number;
            /** @description Milliseconds from arrival to answer. */
            duration_ms: number;
        };
        /**
         * Mail
         * @description A mail of your wallet.
         */
        Mail: {
            /**
             * Format: uuid
             * @description Id of the mail. Also the first part of its `Message-ID`.
             */
            id: string;
            /**
             * @description The kind of mail.
             * @enum {string}
             */
            kind: "receipt" | "reference" | "reference_reminder" | "payment_link" | "charge_failed" | "card_expiring" | "refund" | "refund_page" | "dispute" | "payout" | "invitation" | "password";
            /**
             * @description WAITING: not sent yet. SENT: the mail server took it. REFUSED: the mail server refused it for good. GIVEN_UP: no attempt succeeded within two days. SKIPPED: there was nothing to send, see `reason`.
             * @enum {string}
             */
            status: "WAITING" | "SENT" | "REFUSED" | "GIVEN_UP" | "SKIPPED";
            /**
             * Format: uuid
             * @description The operation, charge, subscription, payment link or invitation that it is about.
             */
            subject_id: string;
            /** @description Address of the reader. Absent until the first attempt. */
            recipient?: string;
            /** @description Subject line. Absent until the first attempt. */
            title?: string;
            /** @description Language: pt or en. Absent until the first attempt. */
            language?: string;
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Last code of the mail server, such as 550. */
            smtp_code?: number;
            /** @description Reason for a status other than SENT: the text of the mail server, or a word. */
            reason?: string;
            /** @description Time of its cause. */
            date: string;
            /** @description Time of the next attempt. */
            next_attempt?: string;
            /** @description Time of the last status. */
            finished?: string;
        };
        /**
         * MailList
         * @description A page of mails.
         */
        MailList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["Mail"][];
        };
        /**
         * MailSwitch
         * @description A kind of mail with its switch.
         */
        MailSwitch: {
            /**
             * @description The kind of mail.
             * @enum {string}
             */
            kind: "receipt" | "reference" | "reference_reminder" | "payment_link" | "charge_failed" | "card_expiring" | "refund" | "refund_page" | "dispute" | "payout" | "invitation" | "password";
            /**
             * @description Reader: your customer, the e-mail address of your wallet, or a person of your team.
             * @enum {string}
             */
            audience: "customer" | "merchant" | "team";
            /** @description Whether the gateway sends it. */
            enabled: boolean;
        };
        /**
         * MailSwitchList
         * @description All kinds of mail with their switches.
         */
        MailSwitchList: {
            /** @description Number of kinds. */
            total: number;
            /** @description All kinds. */
            elements: components["schemas"]["MailSwitch"][];
        };
        /**
         * MailSwitchRequest
         * @description The new position of the switch.
         */
        MailSwitchRequest: {
            /** @description Whether the gateway sends mail of this kind. */
            enabled: boolean;
        };
        /**
         * Mandate
         * @description A mandate of a customer of the mobile wallet.
         */
        Mandate: {
            /** @description Rest of the limit for this calendar month (Lisbon). */
            amount_available: Amount;
            /** @description Largest total of a calendar month, set by the customer. */
            amount_limit: Amount;
            /** @description Name of the customer. */
            client_name?: string;
            /** @description Creation time: YYYY-MM-DD hh:mm:ss in Lisbon. */
            creation_date: string;
            /**
             * Format: date
             * @description Last day (Lisbon).
             */
            expiry_date?: string;
            /** @description Phone number in E.164. */
            phone: string;
            /**
             * @description Type of the mandate.
             * @enum {string}
             */
            type: "ONECLICK" | "SUBSCRIPTION";
            /**
             * @description State. REQUESTED: waits for the customer, at most 4 minutes. ACTIVE: can be charged. VOIDED and EXPIRED are final.
             * @enum {string}
             */
            state: "REQUESTED" | "ACTIVE" | "SUSPENDED" | "VOIDED" | "EXPIRED";
            /**
             * Format: uuid
             * @description Id of the mandate.
             */
            mandate_id: string;
            /**
             * Format: uuid
             * @description Id of the subscription, for a SUBSCRIPTION mandate.
             */
            subscription_id?: string;
        };
        /**
         * MandateCallback
         * @description A mandate has changed.
         */
        MandateCallback: {
            /**
             * @description Always MANDATE.
             * @constant
             */
            type: "MANDATE";
            /**
             * @description APPROVED, UPDATED, SUSPENDED: change by the customer. EXPIRED: not approved in time, or past its last day. VOIDED: ended.
             * @enum {string}
             */
            event: "APPROVED" | "UPDATED" | "EXPIRED" | "VOIDED" | "SUSPENDED";
            /**
             * Format: uuid
             * @description Id of the mandate.
             */
            mandate_id: string;
            /**
             * @description Type of the mandate.
             * @enum {string}
             */
            mandate_type: "ONECLICK" | "SUBSCRIPTION";
            /**
             * @description Always MBWAY.
             * @constant
             */
            method: "MBWAY";
            /** @description Largest total of a calendar month. */
            max_amount: Amount;
            /** @description Rest of the limit for this month. */
            amount_available: Amount;
            /** @description Last day (Lisbon). Null before the approval. */
            end_date: string | null;
            /** @description Id of the subscription, for a SUBSCRIPTION mandate. */
            subscription_id: string | null;
            /** @description The `request_id` of the request for the mandate. */
            request_id: string | null;
        };
        /**
         * MandateList
         * @description A page of mandates.
         */
        MandateList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["Mandate"][];
        };
        /**
         * MandateRequest
         * @description A request for a mandate: phone number and type.
         */
        MandateRequest: {
            /** @description Phone number with + and country code, such as +351911234567. */
            phone: string;
            /**
             * @description ONECLICK: payments need no approval. SUBSCRIPTION: you charge the customer each month.
             * @enum {string}
             */
            type: "ONECLICK" | "SUBSCRIPTION";
            /** @description Name of the customer. */
            name?: string | null;
            /**
             * Format: uri
             * @description Address for the callbacks of this mandate: absolute, https in production. Default: the address of the wallet.
             */
            url_callback?: string | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * Merchant
         * @description The merchant that receives the money.
         */
        Merchant: {
            /** @description Number of the wallet, as text. */
            id: string;
            /** @description Name that customers see. */
            name: string;
            /** @description E-mail address of the merchant. */
            email: string;
        };
        /**
         * Methods
         * @description The payment methods of the wallet.
         */
        Methods: {
            /** @description Active methods, in the order in which pages offer them. */
            methods: ("CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK")[];
        };
        /**
         * MobileWalletPayer
         * @description Payer: phone number or mandate.
         */
        MobileWalletPayer: {
            /** @description Phone number with + and country code, such as +351911234567. */
            phone?: string | null;
            /**
             * Format: uuid
             * @description Id of an ACTIVE mandate, instead of the phone: the customer is not asked. Requires the permission `mandates`.
             */
            mandate_id?: string | null;
        };
        /**
         * NewCallbackEndpoint
         * @description The new endpoint with its secrets.
         */
        NewCallbackEndpoint: {
            /**
             * Format: uuid
             * @description Id of the endpoint.
             */
            id: string;
            /** @description Number from 2 to 10. The address of your wallet is number 1. */
            number: number;
            /** @description Address that receives the callbacks. */
            url: string;
            /** @description Name for your team. */
            description?: string;
            /** @description Kinds of event that it gets. Empty: every kind. */
            kinds: ("operation" | "card_stored" | "mandate" | "subscription" | "charge")[];
            /**
             * @description A `PAUSED` endpoint gets its events after the pause.
             * @enum {string}
             */
            status: "ACTIVE" | "PAUSED";
            /** @description User of `Authorization: Basic`. Equals the id. */
            callback_user: string;
            /** @description Until then the old password works too. */
            callback_secret_overlap?: string;
            /** @description Until then callbacks are signed with the old secret too. */
            callback_signing_secret_overlap?: string;
            /** @description Time of creation. */
            date: string;
            /** @description Time of the last change. */
            modified_date: string;
            /** @description Health of its deliveries. */
            health: components["schemas"]["EndpointHealth"];
            /** @description Password of `Authorization: Basic`. Shown only now. */
            callback_secret: string;
            /** @description Secret of the signature (Standard Webhooks). Shown only now. */
            callback_signing_secret: string;
        };
        /**
         * NewCard
         * @description Plain card data. Requires the right `pci_dss` and a key with the permission `card_plain`.
         */
        NewCard: {
            /** @description Card number. */
            number: string | null;
            /** @description Name on the card. */
            name: string | null;
            /** @description Security code: 3 digits (American Express: 4). */
            vcode: string | null;
            /** @description Expiry month, MM/YYYY. */
            valdate: string | null;
            /** @description E-mail address of the cardholder. Optional if `phone` is present. */
            email?: string | null;
            /** @description Phone number of the cardholder. Optional if `email` is present. */
            phone?: string | null;
            /** @description Postal address of the cardholder. Not stored. */
            address?: components["schemas"]["AddressRequest"];
        };
        /**
         * NewCardSecure
         * @description Card data, encrypted by the secure form fields in the customer’s browser.
         */
        NewCardSecure: {
            /** @description Card number, encrypted by the secure form fields. */
            number: string | null;
            /** @description Name on the card, encrypted by the secure form fields. */
            name: string | null;
            /** @description Security code: 3 digits (American Express: 4), encrypted by the secure form fields. */
            vcode: string | null;
            /** @description Expiry month, MM/YYYY, encrypted by the secure form fields. */
            valdate: string | null;
            /** @description E-mail address of the cardholder. Optional if `phone` is present. */
            email?: string | null;
            /** @description Phone number of the cardholder. Optional if `email` is present. */
            phone?: string | null;
            /** @description Postal address of the cardholder. Not stored. */
            address?: components["schemas"]["AddressRequest"];
        };
        /**
         * NumberedCharge
         * @description Number of an automatic charge, and the next attempt or cycle.
         */
        NumberedCharge: {
            /** @description Number of the charge; its attempts share it. */
            number: number;
            /** @description Number of the attempt in the cycle. */
            attempt: number;
            /** @description Lisbon day of the next attempt. Null if it was made, or if none follows in this cycle. */
            retry_on: string | null;
            /** @description Lisbon day of the next cycle's charge. Null after the last. */
            next_on: string | null;
        };
        /**
         * Operation
         * @description A movement of money.
         */
        Operation: {
            /**
             * Format: uuid
             * @description Id of the operation.
             */
            id: string;
            /**
             * @description Type: PAYMENT, REFUND, AUTH (an amount on hold), CAPTURE, RELEASE, USERTRANSFER (a sub-merchant's share) or WALLETFUNDS (a payout).
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
            /**
             * @description NEW: no method chosen yet. PENDING: the customer or the network has not decided yet. COMPLETED, FAIL and VOIDED are final.
             * @enum {string}
             */
            status: "NEW" | "PENDING" | "COMPLETED" | "FAIL" | "VOIDED";
            /**
             * @description Payment method; absent until the customer has chosen.
             * @enum {string}
             */
            method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
            /** @description Negative for refunds. */
            amount: Amount;
            /** @description The amount less the fee. */
            amount_net: Amount;
            /** @description The fee of the gateway: negative, or 0. */
            fee: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description `true` if a part of it can be refunded now. */
            refundable: boolean;
            /** @description Moment of creation. */
            date: string;
            /** @description Moment of the last change. */
            modified_date: string;
            /** @description Address from which the customer paid. */
            ipaddress?: string;
            /**
             * @description Origin. WEBSITE: a checkout. API, BACKOFFICE: a program or a person. SCHEDULE: a payout by schedule. SPLIT: a share of a payment. BANK, RAIL: a report of a bank or a provider.
             * @enum {string}
             */
            channel?: "WEBSITE" | "API" | "BACKOFFICE" | "SCHEDULE" | "SPLIT" | "BANK" | "RAIL";
            /** @description Last moment to pay it; for an authorization, to capture it. */
            expires?: string;
            /** @description First moment to pay an instant reference. */
            starts?: string;
            /** @description `true` for an instant bank reference. */
            instant?: boolean;
            /**
             * Format: uuid
             * @description The operation that this one captures, releases or refunds.
             */
            parent?: string;
            /**
             * Format: uuid
             * @description The payment link that opened the checkout.
             */
            payment_link_id?: string;
            /** @description Remarks of the merchant. */
            notes?: string;
            /** @description The merchant's reference of the transaction. */
            ext_invoiceid?: string;
            /** @description The customer's e-mail address, for reference. */
            ext_email?: string;
            /** @description The merchant's reference of the customer. */
            ext_customerid?: string;
            /** @description Name of the employee. */
            ext_employee?: string;
            /** @description Lines of the purchase. */
            items?: components["schemas"]["PaymentItem"][];
            /** @description The customer: data from the merchant, completed by the customer. */
            client?: components["schemas"]["Customer"];
            /** @description The merchant that receives the money. */
            merchant?: components["schemas"]["Merchant"];
            /** @description The card that was used. */
            card?: components["schemas"]["PaidCard"];
            /** @description The bank reference for this payment. */
            mb?: {
                /** @description Entity of the bank reference: 5 digits. */
                entity: string;
                /** @description The bank reference: 9 digits. */
                ref: string;
            };
            /** @description The phone that received the request. */
            mbway?: {
                /** @description Phone number in E.164. */
                phone: string;
            };
            /** @description Address for the callbacks of this operation, if it differs from the wallet's address. */
            callback?: string;
            /** @description The customer's browser goes here when the operation completes. */
            cardsecure_url_confirm?: string;
            /** @description The customer's browser goes here when the operation fails. */
            cardsecure_url_cancel?: string;
            /** @description Send the customer to this address for 3-D Secure 2. The operation completes after that. */
            cardsecure_url_redirect?: string;
            /** @description How the payment is divided among sub-merchants. */
            splits?: {
                /** @description Number of shares. */
                total: number;
                /** @description The shares. */
                elements: components["schemas"]["Share"][];
            };
            /**
             * @description `true`: this is a preview; nothing was changed.
             * @constant
             */
            dry_run?: true;
            /** @description Only in a dry run: how the amounts are computed, in euros as texts. */
            calculation?: Record<string, never>;
            /** @description Only in a dry run: the postings it would write. */
            postings?: components["schemas"]["Posting"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * OperationCallback
         * @description An operation has a new status.
         */
        OperationCallback: {
            /** @description Amount of the operation; negative for refunds. */
            amount: Amount;
            /** @description Moment of creation. */
            create_date: string;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description The merchant's reference of the customer. */
            ext_customerid: string | null;
            /** @description The customer's e-mail address, for reference. */
            ext_email: string | null;
            /** @description The merchant's reference of the transaction. */
            ext_invoiceid: string | null;
            /** @description Payment method; null if the customer had not chosen one. */
            method: components["schemas"]["PaymentMethod"] | null;
            /** @description Moment of the change. */
            modified_date: string;
            /** @description Number of the wallet. */
            user: number;
            /**
             * @description Type of the operation.
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
            /**
             * Format: uuid
             * @description The checkout of the operation.
             */
            checkout_id?: string;
            /**
             * Format: uuid
             * @description The operation that it captures, releases or refunds.
             */
            parent_operation_id?: string;
            /** @description Reason of the failure, in a word or two. */
            error?: string;
            /**
             * @description The new status.
             * @enum {string}
             */
            event: "PENDING" | "COMPLETED" | "FAIL" | "VOIDED";
            /**
             * Format: uuid
             * @description The operation.
             */
            operation_id: string;
            /**
             * @description The same as `event`.
             * @enum {string}
             */
            operation_status: "PENDING" | "COMPLETED" | "FAIL" | "VOIDED";
            /** @description Entity of the bank reference: 5 digits. */
            mb_entity?: string;
            /** @description The bank reference: 9 digits. */
            mb_ref?: string;
        };
        /**
         * OperationList
         * @description A page of operations.
         */
        OperationList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["Operation"][];
        };
        /**
         * OperationRead
         * @description A movement of money; an authorization has its captures and releases.
         */
        OperationRead: {
            /**
             * Format: uuid
             * @description Id of the operation.
             */
            id: string;
            /**
             * @description Type: PAYMENT, REFUND, AUTH (an amount on hold), CAPTURE, RELEASE, USERTRANSFER (a sub-merchant's share) or WALLETFUNDS (a payout).
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
            /**
             * @description NEW: no method chosen yet. PENDING: the customer or the network has not decided yet. COMPLETED, FAIL and VOIDED are final.
             * @enum {string}
             */
            status: "NEW" | "PENDING" | "COMPLETED" | "FAIL" | "VOIDED";
            /**
             * @description Payment method; absent until the customer has chosen.
             * @enum {string}
             */
            method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
            /** @description Negative for refunds. */
            amount: Amount;
            /** @description The amount less the fee. */
            amount_net: Amount;
            /** @description The fee of the gateway: negative, or 0. */
            fee: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description `true` if a part of it can be refunded now. */
            refundable: boolean;
            /** @description Moment of creation. */
            date: string;
            /** @description Moment of the last change. */
            modified_date: string;
            /** @description Address from which the customer paid. */
            ipaddress?: string;
            /**
             * @description Origin. WEBSITE: a checkout. API, BACKOFFICE: a program or a person. SCHEDULE: a payout by schedule. SPLIT: a share of a payment. BANK, RAIL: a report of a bank or a provider.
             * @enum {string}
             */
            channel?: "WEBSITE" | "API" | "BACKOFFICE" | "SCHEDULE" | "SPLIT" | "BANK" | "RAIL";
            /** @description Last moment to pay it; for an authorization, to capture it. */
            expires?: string;
            /** @description First moment to pay an instant reference. */
            starts?: string;
            /** @description `true` for an instant bank reference. */
            instant?: boolean;
            /**
             * Format: uuid
             * @description The operation that this one captures, releases or refunds.
             */
            parent?: string;
            /**
             * Format: uuid
             * @description The payment link that opened the checkout.
             */
            payment_link_id?: string;
            /** @description Remarks of the merchant. */
            notes?: string;
            /** @description The merchant's reference of the transaction. */
            ext_invoiceid?: string;
            /** @description The customer's e-mail address, for reference. */
            ext_email?: string;
            /** @description The merchant's reference of the customer. */
            ext_customerid?: string;
            /** @description Name of the employee. */
            ext_employee?: string;
            /** @description Lines of the purchase. */
            items?: components["schemas"]["PaymentItem"][];
            /** @description The customer: data from the merchant, completed by the customer. */
            client?: components["schemas"]["Customer"];
            /** @description The merchant that receives the money. */
            merchant?: components["schemas"]["Merchant"];
            /** @description The card that was used. */
            card?: components["schemas"]["PaidCard"];
            /** @description The bank reference for this payment. */
            mb?: {
                /** @description Entity of the bank reference: 5 digits. */
                entity: string;
                /** @description The bank reference: 9 digits. */
                ref: string;
            };
            /** @description The phone that received the request. */
            mbway?: {
                /** @description Phone number in E.164. */
                phone: string;
            };
            /** @description Address for the callbacks of this operation, if it differs from the wallet's address. */
            callback?: string;
            /** @description The customer's browser goes here when the operation completes. */
            cardsecure_url_confirm?: string;
            /** @description The customer's browser goes here when the operation fails. */
            cardsecure_url_cancel?: string;
            /** @description Send the customer to this address for 3-D Secure 2. The operation completes after that. */
            cardsecure_url_redirect?: string;
            /** @description How the payment is divided among sub-merchants. */
            splits?: {
                /** @description Number of shares. */
                total: number;
                /** @description The shares. */
                elements: components["schemas"]["Share"][];
            };
            /**
             * @description `true`: this is a preview; nothing was changed.
             * @constant
             */
            dry_run?: true;
            /** @description Only in a dry run: how the amounts are computed, in euros as texts. */
            calculation?: Record<string, never>;
            /** @description Only in a dry run: the postings it would write. */
            postings?: components["schemas"]["Posting"][];
            /** @description Only for an authorization: its captures, oldest first. */
            captures?: components["schemas"]["Operation"][];
            /** @description Only for an authorization: its releases, oldest first. */
            releases?: components["schemas"]["Operation"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * PaidCard
         * @description The card that was used.
         */
        PaidCard: {
            /** @description Token of the stored card, in upper case. */
            token?: string;
            /** @description The last 4 digits of the number. */
            last4: string;
            /** @description The first 6 digits of the number. */
            bin: string;
            /** @description The brand, in lower case. */
            type: string;
            /** @description Expiry month, as MM/YYYY. */
            valdate: string;
        };
        /**
         * PaymentItem
         * @description A line of the purchase, as it was sent.
         */
        PaymentItem: {
            /** @description Description of the item. */
            descr?: string;
            /** @description Name of the item. */
            name?: string;
            /** @description Your reference of the item. */
            ref?: AmountInput;
            /**
             * Format: double
             * @description Quantity. Goods by weight have decimals.
             */
            qt?: number;
            /** @description Unit price in euros. */
            amount?: AmountInput;
        };
        /**
         * PaymentItemRequest
         * @description A line of the purchase.
         */
        PaymentItemRequest: {
            /** @description Description of the item. */
            descr?: string | null;
            /** @description Name of the item, which the customer sees. */
            name?: string | null;
            /** @description Your reference of the item, a text or a number. Answered as sent. */
            ref?: (string | null) | Amount;
            /**
             * Format: double
             * @description Quantity. Goods by weight have decimals.
             */
            qt?: number;
            /** @description Unit price in euros. The total of the lines can differ from the amount. */
            amount?: Amount;
        };
        /**
         * PaymentLink
         * @description A web address that opens a checkout.
         */
        PaymentLink: {
            /**
             * Format: uuid
             * @description Id of the link. Equals `payment_link_id` of its operations.
             */
            id: string;
            /** @description Address for your customers. */
            url: string;
            /** @description Address of its QR code, an SVG image. */
            qr_url: string;
            /**
             * @description Status. Only an `ACTIVE` link can be paid.
             * @enum {string}
             */
            status: "ACTIVE" | "USED" | "EXPIRED" | "CLOSED";
            /** @description Description for the customer. */
            description: string;
            /** @description Amount of each payment. */
            amount?: Amount;
            /** @description Lowest amount that the customer may choose. */
            amount_min?: Amount;
            /** @description Highest amount that the customer may choose. */
            amount_max?: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Items that the customer buys. */
            items?: components["schemas"]["PaymentItem"][];
            /** @description Your reference of the transaction, copied to each operation. */
            ext_invoiceid?: string;
            /** @description The customer's e-mail address, for reference. */
            ext_email?: string;
            /** @description Your reference of the customer. */
            ext_customerid?: string;
            /** @description Name of the employee. */
            ext_employee?: string;
            /** @description Your remarks. */
            notes?: string;
            /** @description Number of the store. */
            store?: number;
            /** @description Codes of the methods that it offers now. */
            methods: ("CC" | "MBWAY" | "MB" | "PAYPAL" | "WALLET" | "SEPA")[];
            /** @description Fields that the customer must fill in before paying. */
            required_fields: components["schemas"]["RequiredFields"];
            /**
             * @description Language of the pages.
             * @enum {string}
             */
            language?: "pt" | "en";
            /** @description Maximum number of payments. */
            uses_max?: number;
            /** @description Number of payments so far. */
            uses: number;
            /** @description Total paid through it, before refunds. */
            amount_paid: Amount;
            /** @description Page for the customer after success. */
            url_confirm?: string;
            /** @description Page for the customer after cancelling. */
            url_cancel?: string;
            /** @description Time of creation. */
            date: string;
            /** @description Last moment to open the link. */
            expires?: string;
            /** @description Time at which you closed it. */
            closed?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * PaymentLinkList
         * @description A page of payment links.
         */
        PaymentLinkList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["PaymentLink"][];
        };
        /**
         * PaymentLinkMail
         * @description The mail is waiting to be sent.
         */
        PaymentLinkMail: {
            /**
             * Format: uuid
             * @description The mail: read it with `GET mails/:id`.
             */
            mail_id: string;
        };
        /**
         * PaymentLinkMailRequest
         * @description The customer who gets the link.
         */
        PaymentLinkMailRequest: {
            /**
             * Format: email
             * @description The customer's e-mail address.
             */
            email: string;
        };
        /**
         * PaymentLinkRequest
         * @description `amount`, or `amount_min` with `amount_max`.
         */
        PaymentLinkRequest: {
            /** @description Description for the customer, such as "Yoga class on Saturday". */
            description: string;
            /** @description Amount of each payment. Leave it out to let the customer choose between two bounds. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount?: AmountInput;
            /** @description Lowest amount that the customer may choose. Needs `amount_max`. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount_min?: AmountInput;
            /** @description Highest amount that the customer may choose. Needs `amount_min`. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount_max?: AmountInput;
            /**
             * @description Always EUR. Optional.
             * @default EUR
             * @enum {string}
             */
            currency?: "EUR";
            /** @description Lines of the purchase, which the customer sees. */
            items?: components["schemas"]["PaymentItemRequest"][];
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /** @description Number of one of the stores of your wallet. */
            store?: number;
            /** @description Codes of the methods to offer. Default: all methods of the wallet. */
            methods?: ("CC" | "MBWAY" | "MB" | "PAYPAL" | "WALLET" | "SEPA")[];
            /** @description Fields that the customer must fill in before paying. */
            required_fields?: components["schemas"]["RequiredFields"];
            /** @description Maximum number of payments, such as 1. Default: no limit. */
            uses_max?: number;
            /** @description Last moment to open the link (ISO 8601 date, in the future). A day without a time means its end in Lisbon. Default: no end. */
            expires?: string | null;
            /**
             * Format: uri
             * @description Page for the customer after success. Default: a page of the gateway.
             */
            url_confirm?: string | null;
            /**
             * Format: uri
             * @description Page for the customer after cancelling. Default: `url_confirm`.
             */
            url_cancel?: string | null;
            /**
             * @description Language of the pages: pt or en. Default: the language of the browser.
             * @enum {string}
             */
            language?: "pt" | "en";
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * PaymentMethod
         * @description A payment method.
         * @enum {string}
         */
        PaymentMethod: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
        /**
         * Payout
         * @description A payment to the merchant's bank account.
         */
        Payout: {
            /**
             * Format: uuid
             * @description Id of the operation.
             */
            id: string;
            /**
             * @description Type: PAYMENT, REFUND, AUTH (an amount on hold), CAPTURE, RELEASE, USERTRANSFER (a sub-merchant's share) or WALLETFUNDS (a payout).
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
            /**
             * @description NEW: no method chosen yet. PENDING: the customer or the network has not decided yet. COMPLETED, FAIL and VOIDED are final.
             * @enum {string}
             */
            status: "NEW" | "PENDING" | "COMPLETED" | "FAIL" | "VOIDED";
            /**
             * @description Payment method; absent until the customer has chosen.
             * @enum {string}
             */
            method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
            /** @description Negative for refunds. */
            amount: Amount;
            /** @description The amount less the fee. */
            amount_net: Amount;
            /** @description The fee of the gateway: negative, or 0. */
            fee: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description `true` if a part of it can be refunded now. */
            refundable: boolean;
            /** @description Moment of creation. */
            date: string;
            /** @description Moment of the last change. */
            modified_date: string;
            /** @description Address from which the customer paid. */
            ipaddress?: string;
            /**
             * @description Origin. WEBSITE: a checkout. API, BACKOFFICE: a program or a person. SCHEDULE: a payout by schedule. SPLIT: a share of a payment. BANK, RAIL: a report of a bank or a provider.
             * @enum {string}
             */
            channel?: "WEBSITE" | "API" | "BACKOFFICE" | "SCHEDULE" | "SPLIT" | "BANK" | "RAIL";
            /** @description Last moment to pay it; for an authorization, to capture it. */
            expires?: string;
            /** @description First moment to pay an instant reference. */
            starts?: string;
            /** @description `true` for an instant bank reference. */
            instant?: boolean;
            /**
             * Format: uuid
             * @description The operation that this one captures, releases or refunds.
             */
            parent?: string;
            /**
             * Format: uuid
             * @description The payment link that opened the checkout.
             */
            payment_link_id?: string;
            /** @description Remarks of the merchant. */
            notes?: string;
            /** @description The merchant's reference of the transaction. */
            ext_invoiceid?: string;
            /** @description The customer's e-mail address, for reference. */
            ext_email?: string;
            /** @description The merchant's reference of the customer. */
            ext_customerid?: string;
            /** @description Name of the employee. */
            ext_employee?: string;
            /** @description Lines of the purchase. */
            items?: components["schemas"]["PaymentItem"][];
            /** @description The customer: data from the merchant, completed by the customer. */
            client?: components["schemas"]["Customer"];
            /** @description The merchant that receives the money. */
            merchant?: components["schemas"]["Merchant"];
            /** @description The card that was used. */
            card?: components["schemas"]["PaidCard"];
            /** @description The bank reference for this payment. */
            mb?: {
                /** @description Entity of the bank reference: 5 digits. */
                entity: string;
                /** @description The bank reference: 9 digits. */
                ref: string;
            };
            /** @description The phone that received the request. */
            mbway?: {
                /** @description Phone number in E.164. */
                phone: string;
            };
            /** @description Address for the callbacks of this operation, if it differs from the wallet's address. */
            callback?: string;
            /** @description The customer's browser goes here when the operation completes. */
            cardsecure_url_confirm?: string;
            /** @description The customer's browser goes here when the operation fails. */
            cardsecure_url_cancel?: string;
            /** @description Send the customer to this address for 3-D Secure 2. The operation completes after that. */
            cardsecure_url_redirect?: string;
            /** @description How the payment is divided among sub-merchants. */
            splits?: {
                /** @description Number of shares. */
                total: number;
                /** @description The shares. */
                elements: components["schemas"]["Share"][];
            };
            /**
             * @description `true`: this is a preview; nothing was changed.
             * @constant
             */
            dry_run?: true;
            /** @description Only in a dry run: how the amounts are computed, in euros as texts. */
            calculation?: Record<string, never>;
            /** @description Only in a dry run: the postings it would write. */
            postings?: components["schemas"]["Posting"][];
            /** @description IBAN of the payee, partly hidden. */
            iban?: string;
            /**
             * Format: date
             * @description Day of execution at the bank.
             */
            execution_date?: string;
            /** @description Reason of the failure. */
            error?: string;
            /** @description Only in a dry run: the balance after the payout. */
            after?: {
                /** @description Balance in euros. Negative if the wallet owes the gateway. */
                balance: Amount;
                /** @description Total of the pending payouts, and of pending refunds to a bank account. */
                pending_payouts: Amount;
                /** @description The balance less `pending_payouts`. */
                available: Amount;
                /**
                 * @description Currency of every amount (ISO 4217). Always `EUR`.
                 * @enum {string}
                 */
                currency: "EUR";
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * PayoutList
         * @description A page of payouts.
         */
        PayoutList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["Payout"][];
        };
        /**
         * PayoutRequest
         * @description The payout to order.
         */
        PayoutRequest: {
            /**
             * @description `true` for a preview that changes nothing. Default: `false`.
             * @default false
             */
            dry_run?: boolean;
            /** @description Amount in euros, at most the available balance. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount: AmountInput;
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * PayoutRun
         * @description A due day of the schedule.
         */
        PayoutRun: {
            /**
             * Format: date
             * @description The due day in Lisbon.
             */
            day: string;
            /**
             * @description ordered or skipped.
             * @enum {string}
             */
            outcome: "ordered" | "skipped";
            /** @description Amount of the payout. */
            amount?: Amount;
            /**
             * Format: uuid
             * @description The payout.
             */
            operation_id?: string;
            /** @description Reason of a skipped day: below_minimum, no_iban (no IBAN is set), no_bank (no bank is connected), suspended (the merchant), limit_reached (payouts of a day). */
            reason?: string;
            /** @description Moment of the try. */
            date: string;
        };
        /**
         * PayoutSchedule
         * @description The payout schedule.
         */
        PayoutSchedule: {
            /**
             * @description none, daily, weekly or monthly.
             * @enum {string}
             */
            frequency: "none" | "daily" | "weekly" | "monthly";
            /** @description Weekly: 1 (Monday) to 5. Monthly: 1 to 31. */
            day?: number;
            /** @description Smallest payout in euros. */
            minimum: Amount;
            /** @description Amount that stays on the balance, in euros. */
            keep: Amount;
            /**
             * Format: date
             * @description The day of the next payout.
             */
            next?: string;
            /** @description The last due days, newest first. */
            runs: components["schemas"]["PayoutRun"][];
        };
        /**
         * PayoutScheduleRequest
         * @description The payout schedule.
         */
        PayoutScheduleRequest: {
            /**
             * @description none, daily, weekly or monthly.
             * @enum {string}
             */
            frequency: "none" | "daily" | "weekly" | "monthly";
            /** @description Weekly: 1 (Monday) to 5 (Friday). Monthly: 1 to 31, the last day of shorter months. */
            day?: number;
            /** @description Smallest payout in euros: on a day with less, none is ordered. Default: 0.01. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            minimum?: AmountInput;
            /** @description Amount that stays on the balance, in euros. Default: 0. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            keep?: AmountInput;
        };
        /**
         * PingCallback
         * @description A test of the callback address.
         */
        PingCallback: {
            /**
             * @description Always ping.
             * @constant
             */
            event: "ping";
            /**
             * @description Always PING.
             * @constant
             */
            type: "PING";
            /**
             * Format: uuid
             * @description Id of the event.
             */
            ping_id: string;
            /** @description Number of the wallet. */
            user: number;
            /** @description Time of sending. */
            create_date: string;
        };
        /**
         * Posting
         * @description One posting of the ledger.
         */
        Posting: {
            /** @description Account that is debited. */
            debit: components["schemas"]["Account"];
            /** @description Account that is credited. */
            credit: components["schemas"]["Account"];
            /** @description Amount in euros. */
            amount: Amount;
        };
        /**
         * ReceivedCallback
         * @description Body of the callback: see Webhooks.
         */
        ReceivedCallback: {
            [key: string]: unknown;
        };
        /**
         * RecurringReferenceRequest
         * @description A reference for many payments.
         */
        RecurringReferenceRequest: {
            /** @description The most that each payment may be. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            max_amount: AmountInput;
            /** @description The least that each payment may be; not above `max_amount`. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            min_amount: AmountInput;
            /**
             * @description Always EUR. Optional.
             * @default EUR
             * @enum {string}
             */
            currency?: "EUR";
            /**
             * @description Always PAYMENT. Optional.
             * @default PAYMENT
             * @enum {string}
             */
            op_type?: "PAYMENT";
            /** @description Last day to pay: ISO 8601 date, to the end of that day in Lisbon. Default: no end. */
            expires?: string | null;
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * Reference
         * @description A bank reference.
         */
        Reference: {
            /** @description The reference, for payment at an ATM or in home banking. */
            mb: {
                /** @description Entity: 5 digits. */
                entity: string;
                /** @description Reference: 9 digits. */
                ref: string;
            };
        };
        /**
         * ReferencePaymentRequest
         * @description A reference for one payment.
         */
        ReferencePaymentRequest: {
            /** @description Amount of the reference, in euros. Other amounts are rejected. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount: AmountInput;
            /**
             * @description Currency (ISO 4217). Only `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /**
             * @description Always MB. Optional.
             * @default MB
             * @enum {string}
             */
            method?: "MB";
            /**
             * @description Always PAYMENT. Optional.
             * @default PAYMENT
             * @enum {string}
             */
            type?: "PAYMENT";
            /** @description Last moment to pay: ISO 8601 date, at least 2 days ahead, extended to the end of that day in Lisbon. For an instant reference: the exact moment. Default: the end of the day that is 1000 minutes, about 17 hours, from now. The answer has the real limit. */
            expires?: string | null;
            /** @description First moment to pay an instant reference: in the future and before `expires`. Default: now. */
            starts?: string | null;
            /**
             * @description `true` for an instant reference: exact times, another fee, and no deletion. Requires `expires`. Default: `false`.
             * @default false
             */
            instant?: boolean | null;
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /** @description Lines of the purchase, which the customer sees. */
            items?: components["schemas"]["PaymentItemRequest"][];
            /** @description The customer, as far as you know them. Pages of the gateway ask for the rest. */
            client?: components["schemas"]["ClientRequest"];
            /** @description Number of one of the stores of your wallet. */
            store?: number;
            /** @description Sub-merchants that receive a share: at most 100 descriptors. Default: none. For an authorization: how to divide each capture. Needs the right `marketplace` and the permission `split`. */
            split?: components["schemas"]["SplitDescriptor"][];
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * Refund
         * @description A refund.
         */
        Refund: {
            /**
             * Format: uuid
             * @description Id of the operation.
             */
            id: string;
            /**
             * @description Type: PAYMENT, REFUND, AUTH (an amount on hold), CAPTURE, RELEASE, USERTRANSFER (a sub-merchant's share) or WALLETFUNDS (a payout).
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
            /**
             * @description NEW: no method chosen yet. PENDING: the customer or the network has not decided yet. COMPLETED, FAIL and VOIDED are final.
             * @enum {string}
             */
            status: "NEW" | "PENDING" | "COMPLETED" | "FAIL" | "VOIDED";
            /**
             * @description Payment method; absent until the customer has chosen.
             * @enum {string}
             */
            method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
            /** @description Negative for refunds. */
            amount: Amount;
            /** @description The amount less the fee. */
            amount_net: Amount;
            /** @description The fee of the gateway: negative, or 0. */
            fee: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description `true` if a part of it can be refunded now. */
            refundable: boolean;
            /** @description Moment of creation. */
            date: string;
            /** @description Moment of the last change. */
            modified_date: string;
            /** @description Address from which the customer paid. */
            ipaddress?: string;
            /**
             * @description Origin. WEBSITE: a checkout. API, BACKOFFICE: a program or a person. SCHEDULE: a payout by schedule. SPLIT: a share of a payment. BANK, RAIL: a report of a bank or a provider.
             * @enum {string}
             */
            channel?: "WEBSITE" | "API" | "BACKOFFICE" | "SCHEDULE" | "SPLIT" | "BANK" | "RAIL";
            /** @description Last moment to pay it; for an authorization, to capture it. */
            expires?: string;
            /** @description First moment to pay an instant reference. */
            starts?: string;
            /** @description `true` for an instant bank reference. */
            instant?: boolean;
            /**
             * Format: uuid
             * @description The operation that this one captures, releases or refunds.
             */
            parent?: string;
            /**
             * Format: uuid
             * @description The payment link that opened the checkout.
             */
            payment_link_id?: string;
            /** @description Remarks of the merchant. */
            notes?: string;
            /** @description The merchant's reference of the transaction. */
            ext_invoiceid?: string;
            /** @description The customer's e-mail address, for reference. */
            ext_email?: string;
            /** @description The merchant's reference of the customer. */
            ext_customerid?: string;
            /** @description Name of the employee. */
            ext_employee?: string;
            /** @description Lines of the purchase. */
            items?: components["schemas"]["PaymentItem"][];
            /** @description The customer: data from the merchant, completed by the customer. */
            client?: components["schemas"]["Customer"];
            /** @description The merchant that receives the money. */
            merchant?: components["schemas"]["Merchant"];
            /** @description The card that was used. */
            card?: components["schemas"]["PaidCard"];
            /** @description The bank reference for this payment. */
            mb?: {
                /** @description Entity of the bank reference: 5 digits. */
                entity: string;
                /** @description The bank reference: 9 digits. */
                ref: string;
            };
            /** @description The phone that received the request. */
            mbway?: {
                /** @description Phone number in E.164. */
                phone: string;
            };
            /** @description Address for the callbacks of this operation, if it differs from the wallet's address. */
            callback?: string;
            /** @description The customer's browser goes here when the operation completes. */
            cardsecure_url_confirm?: string;
            /** @description The customer's browser goes here when the operation fails. */
            cardsecure_url_cancel?: string;
            /** @description Send the customer to this address for 3-D Secure 2. The operation completes after that. */
            cardsecure_url_redirect?: string;
            /** @description How the payment is divided among sub-merchants. */
            splits?: {
                /** @description Number of shares. */
                total: number;
                /** @description The shares. */
                elements: components["schemas"]["Share"][];
            };
            /**
             * @description `true`: this is a preview; nothing was changed.
             * @constant
             */
            dry_run?: true;
            /** @description Only in a dry run: how the amounts are computed, in euros as texts. */
            calculation?: Record<string, never>;
            /** @description Only in a dry run: the postings it would write. */
            postings?: components["schemas"]["Posting"][];
            /** @description Only for a refund by MB without `iban`: the page on which the payer types the account, once, until `expires`. Everybody with the link can name the account: send it to the payer alone. */
            refund_url?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * RefundAccount
         * @description The account to which a refund goes.
         */
        RefundAccount: {
            /**
             * Format: uuid
             * @description The refund.
             */
            operation_id: string;
            /**
             * @description WAITING: the payer has not named the account yet. NAMED: the account is known. ENDED: the page ended unused or you cancelled the refund, which failed.
             * @enum {string}
             */
            status: "WAITING" | "NAMED" | "ENDED";
            /** @description Only while WAITING: the page for the payer. It works once. */
            refund_url?: string;
            /** @description Only while WAITING: the last moment of the page. */
            expires?: string;
            /** @description IBAN of the account, partly hidden. */
            iban?: string;
            /** @description Name of the account holder, as it was typed. */
            name?: string;
            /**
             * Format: date
             * @description Day of execution at the bank.
             */
            execution_date?: string;
        };
        /**
         * RefundRequest
         * @description The refund. Default: the rest of the payment.
         */
        RefundRequest: {
            /**
             * @description `true` for a preview that changes nothing. Default: `false`.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description full: the rest of the payment. partial: `amount`. Default: partial with an `amount`, else full.
             * @enum {string}
             */
            type?: "full" | "partial";
            /** @description Amount to refund, at most the rest. Leave it out of a full refund. */
            amount?: (Amount | string) | null;
            /** @description Only for divided payments: the wallets that pay the refund. Default: each sub-merchant in proportion. `[]`: you alone. A list: those wallets, in equal parts or by `amount_fraction`. */
            split?: components["schemas"]["SplitDescriptor"][];
            /** @description Only for payments by MB: account of the payer, in a SEPA country. Default: the payer types it at `refund_url`. */
            iban?: string;
            /** @description Only for payments by MB: name of the account holder. Required with `iban`. */
            name?: string;
            /** @description Your reference of the transaction. */
            ext_invoiceid?: string | null;
            /** @description The customer's e-mail address, for your reference. */
            ext_email?: string | null;
            /** @description Your reference of the customer. */
            ext_customerid?: string | null;
            /** @description Name of the employee. */
            ext_employee?: string | null;
            /** @description Remarks for yourself. */
            notes?: string | null;
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * RefusalCount
         * @description A reason and its number.
         */
        RefusalCount: {
            /** @description Reason of the first refusal, in a word. */
            error: string;
            /** @description Cycles with this reason. */
            charges: number;
        };
        /**
         * RequestedMandate
         * @description A requested mandate.
         */
        RequestedMandate: {
            /**
             * @description State. REQUESTED: waits for the customer, at most 4 minutes. ACTIVE: can be charged. VOIDED and EXPIRED are final.
             * @enum {string}
             */
            state: "REQUESTED" | "ACTIVE" | "SUSPENDED" | "VOIDED" | "EXPIRED";
            /**
             * Format: uuid
             * @description Id of the mandate.
             */
            mandate_id: string;
            /**
             * Format: uuid
             * @description Id of the subscription, for a SUBSCRIPTION mandate.
             */
            subscription_id?: string;
        };
        /**
         * RequestLogPage
         * @description Recent requests.
         */
        RequestLogPage: {
            /** @description Matching requests, newest first. */
            requests: components["schemas"]["LoggedRequest"][];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page. Absent at the end. A page may be empty and still have it.
             */
            next?: string;
            /** @description Number of days that requests are kept. 0: the log is off. */
            days: number;
        };
        /**
         * RequestOutcome
         * @description Result of a request.
         */
        RequestOutcome: {
            /**
             * Format: uuid
             * @description The `request_id` of the request.
             */
            request_id: string;
            /**
             * @description Id of the created object.
             * @enum {string}
             */
            status: "NEW" | "PENDING" | "COMPLETED" | "FAIL";
            /**
             * @description HTTP method to read `href`.
             * @constant
             */
            method: "GET";
            /** @description Address of the created object. */
            href: string;
            /** @description Token of the stored card. Present once 3-D Secure has succeeded. */
            token?: string;
        };
        /**
         * RequiredFields
         * @description Fields that the customer must fill in before paying.
         */
        RequiredFields: {
            /**
             * @description Whether the page asks for their name. Default: `false`.
             * @default false
             */
            name?: boolean;
            /**
             * @description Whether the page asks for their e-mail address. Default: `false`.
             * @default false
             */
            email?: boolean;
            /**
             * @description Whether the page asks for their phone number. Default: `false`.
             * @default false
             */
            phone?: boolean;
            /**
             * @description Whether the page asks for an address to deliver to. Default: `false`.
             * @default false
             */
            shipping?: boolean;
        };
        /**
         * SavedCard
         * @description The card.
         */
        SavedCard: {
            /** @description Brand. */
            type: string;
            /** @description Last four digits. */
            last4: string;
            /** @description Month of expiry, MM/YYYY. */
            valdate: string;
        };
        /**
         * SavedPaymentMethod
         * @description A card that a customer saved for your shop.
         */
        SavedPaymentMethod: {
            /**
             * Format: uuid
             * @description Id of the saved card, to delete it. You cannot charge it.
             */
            id: string;
            /**
             * @description The method: a card.
             * @enum {string}
             */
            method: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
            /**
             * @description ACTIVE: checkouts offer it. EXPIRED: its month is over. REFUSED: its issuer said that it is lost, stolen, expired or unknown.
             * @enum {string}
             */
            status: "ACTIVE" | "EXPIRED" | "REFUSED";
            /** @description The card. */
            card: components["schemas"]["SavedCard"];
            /** @description Time at which the customer saved it. */
            date: string;
        };
        /**
         * SavedPaymentMethodList
         * @description All saved cards of a customer.
         */
        SavedPaymentMethodList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["SavedPaymentMethod"][];
        };
        /**
         * Share
         * @description The share of one sub-merchant.
         */
        Share: {
            /** @description The wallet that receives the share. */
            merchant_wallet: {
                /**
                 * @description Currency of every amount (ISO 4217). Always `EUR`.
                 * @enum {string}
                 */
                currency: "EUR";
                /** @description Name of the sub-merchant. */
                name?: string;
                /** @description Share of this payment, less refunds of the share. */
                balance: Amount;
                /** @description Public id of its wallet. */
                public_id: string;
            };
            /** @description Amount that the sub-merchant received, after fees. Text with 2 decimals. */
            amount: string;
            /** @description Variable fee of the marketplace. Text with 4 decimals. */
            fee_variable: string;
            /** @description Fixed fee of the marketplace. Text with 2 decimals. */
            fee_fixed: string;
        };
        /**
         * ShopCustomer
         * @description A customer of your shop.
         */
        ShopCustomer: {
            /**
             * Format: uuid
             * @description Id of the customer, for `customer.id` of a checkout.
             */
            id: string;
            /** @description Your reference of the customer. */
            ext_customerid?: string;
            /** @description Name of the customer. */
            name?: string;
            /** @description E-mail address. */
            email?: string;
            /** @description Phone number with + and country code. */
            phone?: string;
            /** @description Time of creation. */
            date: string;
            /** @description Time of the last change. */
            modified_date: string;
        };
        /**
         * ShopCustomerList
         * @description A page of customers.
         */
        ShopCustomerList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["ShopCustomer"][];
        };
        /**
         * SignedCallback
         * @description A callback with the headers and the body that your endpoint would get.
         */
        SignedCallback: {
            /**
             * Format: uuid
             * @description Id of the event. Equals its `webhook-id`.
             */
            id: string;
            /**
             * @description Kind of its subject, such as `operation`.
             * @enum {string}
             */
            kind: "operation" | "card_stored" | "mandate" | "subscription" | "charge" | "ping";
            /** @description The new status, such as `COMPLETED`, or the name of the event. */
            event: string;
            /** @description Time of the event. */
            date: string;
            /** @description All headers of a delivery at this moment: Basic authorization, signature, content type. */
            headers: {
                [key: string]: string;
            };
            /** @description The body as text. Pass it on unchanged: it is signed. */
            body: string;
        };
        /**
         * SignedCallbacks
         * @description New callbacks.
         */
        SignedCallbacks: {
            /** @description New callbacks, oldest first. Often empty. */
            callbacks: components["schemas"]["SignedCallback"][];
            /** @description Send it as `after` in the next request. */
            next: string;
            /** @description Whether more callbacks are available now. */
            more: boolean;
        };
        /**
         * SplitDescriptor
         * @description The share of one sub-merchant.
         */
        SplitDescriptor: {
            /** @description Public id of the sub-merchant's wallet; not your own. */
            merchant_wallet: string;
            /** @description Part of the gross amount, in euros. Excludes `amount_fraction`. */
            amount?: AmountInput;
            /** @description Part as a fraction, such as 0.6 or 2/3. Default without `amount`: an equal share of the rest. */
            amount_fraction?: string;
            /** @description Fixed fee that the marketplace keeps, in euros. Default: 0. */
            fee_fixed?: AmountInput;
            /** @description Fraction that the marketplace keeps, from 0 to 1 with at most 4 decimals. Default: 0. */
            fee_variable?: AmountInput;
            /** @description Purpose of the share. */
            descr?: string;
        };
        /**
         * SplitRequest
         * @description Sub-merchants that receive a share.
         */
        SplitRequest: {
            /**
             * @description `true` for a preview that changes nothing. Default: `false`.
             * @default false
             */
            dry_run?: boolean;
            /** @description Sub-merchants that receive a share: at most 100 descriptors. Default: none. For an authorization: how to divide each capture. Needs the right `marketplace` and the permission `split`. */
            split: components["schemas"]["SplitDescriptor"][];
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * Statement
         * @description The movements on the account of a merchant.
         */
        Statement: {
            /**
             * Format: date
             * @description The first Lisbon day.
             */
            startdate: string;
            /**
             * Format: date
             * @description The last Lisbon day.
             */
            enddate: string;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description The balance before. */
            opening: Amount;
            /** @description Payments by method, before fees. */
            payments: {
                [key: string]: Amount;
            };
            /** @description Fees of the gateway and bank charges: zero or negative. */
            fees: Amount;
            /** @description Refunds: zero or negative. */
            refunds: Amount;
            /** @description Payouts less their returns: mostly negative. */
            payouts: Amount;
            /** @description Transfers to and from other wallets, by splits. */
            shares: Amount;
            /** @description Other movements, such as disputes and corrections by the operator. */
            other: Amount;
            /** @description The balance after. */
            closing: Amount;
            /** @description Number of entries. */
            entries: number;
            /** @description Lisbon days with movements, oldest first. */
            days: components["schemas"]["StatementDay"][];
        };
        /**
         * StatementDay
         * @description The movements of one day.
         */
        StatementDay: {
            /**
             * Format: date
             * @description The Lisbon day.
             */
            day: string;
            /** @description The balance before. */
            opening: Amount;
            /** @description Payments by method, before fees. */
            payments: {
                [key: string]: Amount;
            };
            /** @description Fees of the gateway and bank charges: zero or negative. */
            fees: Amount;
            /** @description Refunds: zero or negative. */
            refunds: Amount;
            /** @description Payouts less their returns: mostly negative. */
            payouts: Amount;
            /** @description Transfers to and from other wallets, by splits. */
            shares: Amount;
            /** @description Other movements, such as disputes and corrections by the operator. */
            other: Amount;
            /** @description The balance after. */
            closing: Amount;
            /** @description Number of entries. */
            entries: number;
        };
        /**
         * StatementEntries
         * @description One page of the entries of a day.
         */
        StatementEntries: {
            /**
             * Format: date
             * @description The Lisbon day.
             */
            day: string;
            /** @description Entries in the order of booking. */
            elements: components["schemas"]["StatementEntry"][];
            /** @description Value of `after` for the next page; absent on the last page. */
            next?: string;
        };
        /**
         * StatementEntry
         * @description A movement on the account.
         */
        StatementEntry: {
            /** @description Moment of booking. */
            date: string;
            /**
             * @description Kind of the movement.
             * @enum {string}
             */
            kind: "payment" | "refund" | "payout" | "share" | "bank_charge" | "other";
            /** @description Payment method. */
            method?: string;
            /**
             * Format: uuid
             * @description The operation.
             */
            operation_id?: string;
            /** @description The merchant's reference. */
            ext_invoiceid?: string;
            /** @description Remarks of the merchant. */
            notes?: string;
            /** @description Amount before fees, in euros. */
            amount: Amount;
            /** @description Fee in euros: zero or negative. */
            fee: Amount;
            /** @description Change of the balance, in euros. */
            amount_net: Amount;
        };
        /**
         * StoreCardRequest
         * @description A card to store. Send exactly one of `newCard` and `newCardSecure`.
         */
        StoreCardRequest: {
            /**
             * Format: uri
             * @description Address for the customer after success: absolute, https in production.
             */
            cardsecure_url_confirm: string;
            /**
             * Format: uri
             * @description Address for the customer after failure: absolute, https in production.
             */
            cardsecure_url_cancel: string;
            /** @description Plain card data. Requires the right `pci_dss` and a key with the permission `card_plain`. */
            newCard?: components["schemas"]["NewCard"];
            /** @description Card data, encrypted by the secure form fields in the customer’s browser. */
            newCardSecure?: components["schemas"]["NewCardSecure"];
            /**
             * Format: uuid
             * @description Idempotency key, a UUID of your own. Required, here or as the header `Idempotency-Key`. The callback contains it.
             */
            request_id?: string | null;
        };
        /**
         * Subscription
         * @description A permission for repeated charges.
         */
        Subscription: {
            /**
             * Format: uuid
             * @description Id of the subscription.
             */
            id: string;
            /** @description Most that can be charged in one billing cycle. */
            amount: Amount;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /**
             * Format: date
             * @description First Lisbon day for charges.
             */
            start_date: string;
            /**
             * Format: date
             * @description Last Lisbon day for charges.
             */
            end_date?: string;
            /** @description Name of the subscription, which the customer sees. */
            description?: string;
            /**
             * @description NEW until the customer accepts; charges need APPROVED. FAILED, EXPIRED, CANCELED (by the customer) and VOIDED (by you) are final.
             * @enum {string}
             */
            status: "NEW" | "APPROVED" | "FAILED" | "EXPIRED" | "CANCELED" | "VOIDED";
            /**
             * @description Source of the charges: a card, or a wallet (also for the mobile wallet).
             * @enum {string}
             */
            default_payment_method?: "WALLET" | "CC";
            /**
             * @description Payment method that the customer chose.
             * @enum {string}
             */
            method?: "CC" | "MBWAY" | "PAYPAL" | "WALLET";
            /** @description The card for the charges. */
            card?: components["schemas"]["SubscriptionCard"];
            /** @description Number of periods in one billing cycle. This and the following fields are only in the answer for a single subscription. */
            frequency?: number;
            /**
             * @description Unit of `frequency`.
             * @enum {string}
             */
            period?: "DAY" | "WEEK" | "MONTH";
            /** @description Your reference of the subscription. */
            ext_subscriptionid?: string;
            /** @description The customer: data from the merchant, completed by the customer. */
            client?: components["schemas"]["Customer"];
            /** @description A charge that the gateway makes in each cycle. */
            auto_charge?: components["schemas"]["AutoCharge"];
        } & {
            [key: string]: unknown;
        };
        /**
         * SubscriptionCallback
         * @description A subscription has a new status.
         */
        SubscriptionCallback: {
            /**
             * @description APPROVED: it can be charged. FAILED: the customer did not accept it. CANCELED: the customer ended it. VOIDED: you ended it; sent only if the operator enables it.
             * @enum {string}
             */
            event: "APPROVED" | "FAILED" | "CANCELED" | "VOIDED";
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_id: string;
            /** @description Your reference of the subscription. */
            ext_subscriptionid: string | null;
            /** @description Reason of the failure, in a word. */
            error?: string;
            /** @description Last Lisbon day; the customer's card or phone may have set an earlier one. Null for no end. */
            subscription_end_date: string | null;
            /**
             * @description Always SUBSCRIPTION; present only for MBWAY.
             * @constant
             */
            type?: "SUBSCRIPTION";
        };
        /**
         * SubscriptionCard
         * @description The card for the charges.
         */
        SubscriptionCard: {
            /** @description Token of the card, in upper case. */
            token: string;
            /** @description The last 4 digits of the number. */
            last4: string;
            /** @description The first 6 digits of the number. */
            bin: string;
            /** @description The brand, in lower case. */
            type: string;
            /** @description Expiry month, as MM/YYYY. */
            valdate: string;
            /** @description `true` after the expiry month. */
            expired: boolean;
            /**
             * @description `true` if the cardholder was authenticated.
             * @enum {string}
             */
            verification_status: "VERIFIED" | "UNVERIFIED";
            /** @description `true` if the card was deleted. */
            voided: boolean;
        };
        /**
         * SubscriptionChangeRequest
         * @description Absent fields keep their value.
         */
        SubscriptionChangeRequest: {
            /** @description A charge that the gateway makes in each cycle. */
            auto_charge: components["schemas"]["AutoChargeRequest"];
        };
        /**
         * SubscriptionList
         * @description A page of subscriptions.
         */
        SubscriptionList: {
            /** @description Number of matching records on all pages. */
            total: number;
            /** @description Records of this page, newest first. */
            elements: components["schemas"]["ListedSubscription"][];
        };
        /**
         * SubscriptionRequest
         * @description A permission for repeated charges.
         */
        SubscriptionRequest: {
            /** @description Most that you can charge in one billing cycle. Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50. */
            amount: AmountInput;
            /**
             * @description Currency (ISO 4217). Only `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description Number of periods in one billing cycle, such as 3 with `MONTH` for a quarter. */
            frequency: number;
            /**
             * @description DAY, WEEK or MONTH. Monthly cycles begin on the day of `start_date`, or on the last day of a shorter month.
             * @enum {string}
             */
            period: "DAY" | "WEEK" | "MONTH";
            /**
             * Format: date
             * @description First Lisbon day for charges, as yyyy-mm-dd: today or later. Yesterday counts as today.
             */
            start_date: string;
            /**
             * Format: date
             * @description Last Lisbon day for charges, as yyyy-mm-dd. Default: no end. The customer's card or phone may set an earlier one.
             */
            end_date?: string | null;
            /** @description Your reference of the subscription. */
            ext_subscriptionid?: string | null;
            /** @description Name of the subscription, which the customer sees. */
            description?: string | null;
            /** @description The customer, as far as you know them. Pages of the gateway ask for the rest. */
            client?: components["schemas"]["ClientRequest"];
            /** @description Makes the gateway charge each cycle. Default: you make every charge. */
            auto_charge?: components["schemas"]["AutoChargeRequest"];
            /**
             * Format: uuid
             * @description Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.
             */
            request_id?: string | null;
        };
        /**
         * UserErrorCallback
         * @description A customer tried to pay a reference and was refused.
         */
        UserErrorCallback: {
            /** @description Amount of the operation; negative for refunds. */
            amount: Amount;
            /** @description Moment of creation. */
            create_date: string;
            /**
             * @description Currency of every amount (ISO 4217). Always `EUR`.
             * @enum {string}
             */
            currency: "EUR";
            /** @description The merchant's reference of the customer. */
            ext_customerid: string | null;
            /** @description The customer's e-mail address, for reference. */
            ext_email: string | null;
            /** @description The merchant's reference of the transaction. */
            ext_invoiceid: string | null;
            /** @description Payment method; null if the customer had not chosen one. */
            method: components["schemas"]["PaymentMethod"] | null;
            /** @description Moment of the change. */
            modified_date: string;
            /** @description Number of the wallet. */
            user: number;
            /**
             * @description Type of the operation.
             * @enum {string}
             */
            type: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
            /**
             * Format: uuid
             * @description The checkout of the operation.
             */
            checkout_id?: string;
            /**
             * Format: uuid
             * @description The operation that it captures, releases or refunds.
             */
            parent_operation_id?: string;
            /** @description Reason of the failure, in a word or two. */
            error?: string;
            /**
             * @description Always USERERROR.
             * @enum {string}
             */
            event: "USERERROR";
            /** @description The operation to pay by this reference; null for a reusable reference. */
            operation_id: string | null;
            /** @description Unchanged status of that operation; null for a reusable reference. */
            operation_status: string | null;
            /**
             * Format: uuid
             * @description A reusable reference.
             */
            reference_id?: string;
            /** @description Entity of the bank reference: 5 digits. */
            mb_entity: string;
            /** @description The bank reference: 9 digits. */
            mb_ref: string;
            /**
             * @description badamount: the customer paid a different amount. duplicatepayment: it was already paid.
             * @enum {string}
             */
            user_error: "badamount" | "duplicatepayment";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Account = components['schemas']['Account'];
export type AddressRequest = components['schemas']['AddressRequest'];
export type AuditHead = components['schemas']['AuditHead'];
export type AuditKey = components['schemas']['AuditKey'];
export type Authorization = components['schemas']['Authorization'];
export type AuthorizationList = components['schemas']['AuthorizationList'];
export type AutoCharge = components['schemas']['AutoCharge'];
export type AutoChargeEntry = components['schemas']['AutoChargeEntry'];
export type AutoChargeList = components['schemas']['AutoChargeList'];
export type AutoChargeRequest = components['schemas']['AutoChargeRequest'];
export type AutoChargeResults = components['schemas']['AutoChargeResults'];
export type Balance = components['schemas']['Balance'];
export type CallbackEndpoint = components['schemas']['CallbackEndpoint'];
export type CallbackEndpointChanges = components['schemas']['CallbackEndpointChanges'];
export type CallbackEndpointList = components['schemas']['CallbackEndpointList'];
export type CallbackEndpointRequest = components['schemas']['CallbackEndpointRequest'];
export type CaptureOrReleaseRequest = components['schemas']['CaptureOrReleaseRequest'];
export type CardByToken = components['schemas']['CardByToken'];
export type CardPaymentRequest = components['schemas']['CardPaymentRequest'];
export type CardSecureResponse = components['schemas']['CardSecureResponse'];
export type CardStoredCallback = components['schemas']['CardStoredCallback'];
export type ChargeCallback = components['schemas']['ChargeCallback'];
export type ChargeList = components['schemas']['ChargeList'];
export type ChargeOrder = components['schemas']['ChargeOrder'];
export type ChargePaymentRequest = components['schemas']['ChargePaymentRequest'];
export type ChargeRequest = components['schemas']['ChargeRequest'];
export type Checkout = components['schemas']['Checkout'];
export type CheckoutCustomer = components['schemas']['CheckoutCustomer'];
export type CheckoutPaymentRequest = components['schemas']['CheckoutPaymentRequest'];
export type CheckoutRequest = components['schemas']['CheckoutRequest'];
export type ClientRequest = components['schemas']['ClientRequest'];
export type CreditCard = components['schemas']['CreditCard'];
export type Customer = components['schemas']['Customer'];
export type CustomerChange = components['schemas']['CustomerChange'];
export type CustomerOfCheckout = components['schemas']['CustomerOfCheckout'];
export type CustomerRequest = components['schemas']['CustomerRequest'];
export type DeletedCallbackEndpoint = components['schemas']['DeletedCallbackEndpoint'];
export type DeleteReferenceRequest = components['schemas']['DeleteReferenceRequest'];
export type Delivery = components['schemas']['Delivery'];
export type DirectPaymentRequest = components['schemas']['DirectPaymentRequest'];
export type EndpointAttempt = components['schemas']['EndpointAttempt'];
export type EndpointDelivery = components['schemas']['EndpointDelivery'];
export type EndpointDeliveryList = components['schemas']['EndpointDeliveryList'];
export type EndpointDeliveryWithAttempts = components['schemas']['EndpointDeliveryWithAttempts'];
export type EndpointHealth = components['schemas']['EndpointHealth'];
export type EndpointResendRequest = components['schemas']['EndpointResendRequest'];
export type EndpointResent = components['schemas']['EndpointResent'];
export type EndpointSecret = components['schemas']['EndpointSecret'];
export type EndpointSecretRequest = components['schemas']['EndpointSecretRequest'];
export type EndpointTest = components['schemas']['EndpointTest'];
export type Error = components['schemas']['Error'];
export type Event = components['schemas']['Event'];
export type EventPage = components['schemas']['EventPage'];
export type Fees = components['schemas']['Fees'];
export type FeesOfMonth = components['schemas']['FeesOfMonth'];
export type GatewayHead = components['schemas']['GatewayHead'];
export type LatestAutoCharge = components['schemas']['LatestAutoCharge'];
export type ListedCharge = components['schemas']['ListedCharge'];
export type ListedSubscription = components['schemas']['ListedSubscription'];
export type LoggedRequest = components['schemas']['LoggedRequest'];
export type Mail = components['schemas']['Mail'];
export type MailList = components['schemas']['MailList'];
export type MailSwitch = components['schemas']['MailSwitch'];
export type MailSwitchList = components['schemas']['MailSwitchList'];
export type MailSwitchRequest = components['schemas']['MailSwitchRequest'];
export type Mandate = components['schemas']['Mandate'];
export type MandateCallback = components['schemas']['MandateCallback'];
export type MandateList = components['schemas']['MandateList'];
export type MandateRequest = components['schemas']['MandateRequest'];
export type Merchant = components['schemas']['Merchant'];
export type Methods = components['schemas']['Methods'];
export type MobileWalletPayer = components['schemas']['MobileWalletPayer'];
export type NewCallbackEndpoint = components['schemas']['NewCallbackEndpoint'];
export type NewCard = components['schemas']['NewCard'];
export type NewCardSecure = components['schemas']['NewCardSecure'];
export type NumberedCharge = components['schemas']['NumberedCharge'];
export type Operation = components['schemas']['Operation'];
export type OperationCallback = components['schemas']['OperationCallback'];
export type OperationList = components['schemas']['OperationList'];
export type OperationRead = components['schemas']['OperationRead'];
export type PaidCard = components['schemas']['PaidCard'];
export type PaymentItem = components['schemas']['PaymentItem'];
export type PaymentItemRequest = components['schemas']['PaymentItemRequest'];
export type PaymentLink = components['schemas']['PaymentLink'];
export type PaymentLinkList = components['schemas']['PaymentLinkList'];
export type PaymentLinkMail = components['schemas']['PaymentLinkMail'];
export type PaymentLinkMailRequest = components['schemas']['PaymentLinkMailRequest'];
export type PaymentLinkRequest = components['schemas']['PaymentLinkRequest'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type Payout = components['schemas']['Payout'];
export type PayoutList = components['schemas']['PayoutList'];
export type PayoutRequest = components['schemas']['PayoutRequest'];
export type PayoutRun = components['schemas']['PayoutRun'];
export type PayoutSchedule = components['schemas']['PayoutSchedule'];
export type PayoutScheduleRequest = components['schemas']['PayoutScheduleRequest'];
export type PingCallback = components['schemas']['PingCallback'];
export type Posting = components['schemas']['Posting'];
export type ReceivedCallback = components['schemas']['ReceivedCallback'];
export type RecurringReferenceRequest = components['schemas']['RecurringReferenceRequest'];
export type Reference = components['schemas']['Reference'];
export type ReferencePaymentRequest = components['schemas']['ReferencePaymentRequest'];
export type Refund = components['schemas']['Refund'];
export type RefundAccount = components['schemas']['RefundAccount'];
export type RefundRequest = components['schemas']['RefundRequest'];
export type RefusalCount = components['schemas']['RefusalCount'];
export type RequestedMandate = components['schemas']['RequestedMandate'];
export type RequestLogPage = components['schemas']['RequestLogPage'];
export type RequestOutcome = components['schemas']['RequestOutcome'];
export type RequiredFields = components['schemas']['RequiredFields'];
export type SavedCard = components['schemas']['SavedCard'];
export type SavedPaymentMethod = components['schemas']['SavedPaymentMethod'];
export type SavedPaymentMethodList = components['schemas']['SavedPaymentMethodList'];
export type Share = components['schemas']['Share'];
export type ShopCustomer = components['schemas']['ShopCustomer'];
export type ShopCustomerList = components['schemas']['ShopCustomerList'];
export type SignedCallback = components['schemas']['SignedCallback'];
export type SignedCallbacks = components['schemas']['SignedCallbacks'];
export type SplitDescriptor = components['schemas']['SplitDescriptor'];
export type SplitRequest = components['schemas']['SplitRequest'];
export type Statement = components['schemas']['Statement'];
export type StatementDay = components['schemas']['StatementDay'];
export type StatementEntries = components['schemas']['StatementEntries'];
export type StatementEntry = components['schemas']['StatementEntry'];
export type StoreCardRequest = components['schemas']['StoreCardRequest'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionCallback = components['schemas']['SubscriptionCallback'];
export type SubscriptionCard = components['schemas']['SubscriptionCard'];
export type SubscriptionChangeRequest = components['schemas']['SubscriptionChangeRequest'];
export type SubscriptionList = components['schemas']['SubscriptionList'];
export type SubscriptionRequest = components['schemas']['SubscriptionRequest'];
export type UserErrorCallback = components['schemas']['UserErrorCallback'];
export type $defs = Record<string, never>;
export interface operations {
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the request: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Result of a request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestOutcome"];
                };
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment methods of the wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Methods"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `next` of the previous answer, or the id of an event. Default: from the first event. */
                after?: string;
                /** @description Number of events, 1 to 100. Default: 100. Larger numbers count as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    listenToCallbacks: {
        parameters: {
            query?: {
                /** @description `next` of the previous answer, or the id of an event. Without it the answer comes at once and contains the start for `after`. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description New callbacks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedCallbacks"];
                };
            };
        };
    };
    listCallbackEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The further endpoints of the wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackEndpointList"];
                };
            };
        };
    };
    createCallbackEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEndpointRequest"];
            };
        };
        responses: {
            /** @description The new endpoint with its secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewCallbackEndpoint"];
                };
            };
        };
    };
    getCallbackEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A further address for callbacks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackEndpoint"];
                };
            };
        };
    };
    deleteCallbackEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Empty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedCallbackEndpoint"];
                };
            };
        };
    };
    changeCallbackEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CallbackEndpointChanges"];
            };
        };
        responses: {
            /** @description A further address for callbacks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackEndpoint"];
                };
            };
        };
    };
    replaceCallbackEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointSecretRequest"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointSecret"];
                };
            };
        };
    };
    listEndpointDeliveries: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description Filter: one or more of DUE, DELIVERED, GIVEN_UP. */
                status?: ("DUE" | "DELIVERED" | "GIVEN_UP")[];
            };
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryList"];
                };
            };
        };
    };
    getEndpointDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
                /** @description Id of the event: a UUID. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery with its attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryWithAttempts"];
                };
            };
        };
    };
    resendToCallbackEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndpointResendRequest"];
            };
        };
        responses: {
            /** @description The number of callbacks to send. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointResent"];
                };
            };
        };
    };
    testCallbackEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the callback endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test is waiting to be sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointTest"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Filter: first digit of the status: 2, 3, 4 or 5. */
                status?: number;
                /** @description HTTP method, such as `POST`. */
                method?: string;
                /** @description Filter: start of the path, such as `/api/v2/checkout`. */
                path?: string;
                /** @description Filter: id of the API key. */
                key?: string;
                /** @description `next` of the previous answer. */
                after?: string;
                /** @description Number of requests, 1 to 100. Default: 100. Larger numbers count as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Recent requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLogPage"];
                };
            };
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
                /** @description A UUID. */
                id?: string;
                /** @description One of CC, MB, MBWAY, PAYPAL, WALLET, SEPA, BANK. */
                method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
                /** @description The last 4 digits of a card. You may omit leading zeros. */
                number4?: string;
                /** @description A phone number with + and country code; needs method MBWAY. */
                phone?: string;
                /** @description The merchant's transaction reference. */
                ext_invoiceid?: string;
                /** @description One of PAYMENT, AUTH, CAPTURE, RELEASE, REFUND, USERTRANSFER, WALLETFUNDS. */
                type?: "PAYMENT" | "AUTH" | "CAPTURE" | "RELEASE" | "REFUND" | "USERTRANSFER" | "WALLETFUNDS";
                /** @description UUID of an authorization or payment: finds its captures and releases, or its refunds. */
                parent?: string;
                /** @description The 9 digits of a reference. */
                mb_ref?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationList"];
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the operation: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A movement of money; an authorization has its captures and releases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationRead"];
                };
            };
        };
    };
    refundOperation: {
        parameters: {
            query?: {
                /** @description `true` for a preview that changes nothing. Default: `false`. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the operation: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        responses: {
            /** @description A refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    splitOperation: {
        parameters: {
            query?: {
                /** @description `true` for a preview that changes nothing. Default: `false`. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the operation: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitRequest"];
            };
        };
        responses: {
            /** @description A movement of money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    captureAuthorization: {
        parameters: {
            query?: {
                /** @description `true` for a preview that changes nothing. Default: `false`. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the authorization: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CaptureOrReleaseRequest"];
            };
        };
        responses: {
            /** @description A movement of money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    releaseAuthorization: {
        parameters: {
            query?: {
                /** @description `true` for a preview that changes nothing. Default: `false`. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the authorization: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CaptureOrReleaseRequest"];
            };
        };
        responses: {
            /** @description A movement of money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    listAuthorizations: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
                /** @description A UUID. */
                id?: string;
                /** @description One of CC, MB, MBWAY, PAYPAL, WALLET, SEPA, BANK. */
                method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
                /** @description The last 4 digits of a card. You may omit leading zeros. */
                number4?: string;
                /** @description A phone number with + and country code; needs method MBWAY. */
                phone?: string;
                /** @description The merchant's transaction reference. */
                ext_invoiceid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of authorizations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationList"];
                };
            };
        };
    };
    getAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the authorization: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An amount on hold, with its captures and releases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
        };
    };
    createCardPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardPaymentRequest"];
            };
        };
        responses: {
            /** @description A movement of money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    createCardAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardPaymentRequest"];
            };
        };
        responses: {
            /** @description A movement of money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    storeCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreCardRequest"];
            };
        };
        responses: {
            /** @description The address for authentication. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardSecureResponse"];
                };
            };
        };
    };
    getCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the card, its token: a UUID. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stored card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditCard"];
                };
            };
        };
    };
    deleteCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the card, its token: a UUID. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Always true. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    createReferencePayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReferencePaymentRequest"];
            };
        };
        responses: {
            /** @description A movement of money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    createRecurringReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecurringReferenceRequest"];
            };
        };
        responses: {
            /** @description A bank reference. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reference"];
                };
            };
        };
    };
    deleteReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteReferenceRequest"];
            };
        };
        responses: {
            /** @description Always one text: OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    getRefundAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the refund: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account to which a refund goes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAccount"];
                };
            };
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the refund: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account to which a refund goes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAccount"];
                };
            };
        };
    };
    listMandates: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description States to include. */
                status?: ("REQUESTED" | "ACTIVE" | "SUSPENDED" | "VOIDED" | "EXPIRED")[];
                /** @description Alias of `status`. */
                state?: ("REQUESTED" | "ACTIVE" | "SUSPENDED" | "VOIDED" | "EXPIRED")[];
                /** @description One of ONECLICK, SUBSCRIPTION. */
                type?: "ONECLICK" | "SUBSCRIPTION";
                /** @description Phone number with + and country code. */
                phone?: string;
                /** @description Begin of the creation time: ISO 8601 date, included. A day without time is a Lisbon day. */
                start_creation_date?: string;
                /** @description End of the creation time: ISO 8601 date, included. A day without time is a Lisbon day. */
                end_creation_date?: string;
                /** @description Begin of the last day: ISO 8601 date, included. A day without time is a Lisbon day. */
                start_expiry_date?: string;
                /** @description End of the last day: ISO 8601 date, included. A day without time is a Lisbon day. */
                end_expiry_date?: string;
                /** @description Wallet numbers. Only your own wallet has results. */
                wallet_id?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of mandates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MandateList"];
                };
            };
        };
    };
    createMandate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateRequest"];
            };
        };
        responses: {
            /** @description A requested mandate. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedMandate"];
                };
            };
        };
    };
    getMandate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the mandate: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mandate of a customer of the mobile wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mandate"];
                };
            };
        };
    };
    endMandate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the mandate: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createMobilePayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DirectPaymentRequest"];
            };
        };
        responses: {
            /** @description A movement of money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    createCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutRequest"];
            };
        };
        responses: {
            /** @description A page on which a customer pays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the checkout: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page on which a customer pays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
        };
    };
    voidCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the checkout: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page on which a customer pays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description Filter: one or more of ACTIVE, USED, EXPIRED, CLOSED. */
                status?: ("ACTIVE" | "USED" | "EXPIRED" | "CLOSED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payment links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkList"];
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkRequest"];
            };
        };
        responses: {
            /** @description A web address that opens a checkout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the payment link: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A web address that opens a checkout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    closePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the payment link: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A web address that opens a checkout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    mailPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the payment link: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkMailRequest"];
            };
        };
        responses: {
            /** @description The mail is waiting to be sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkMail"];
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A permission for repeated charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    voidSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A permission for repeated charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    changeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChangeRequest"];
            };
        };
        responses: {
            /** @description A permission for repeated charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    listCharges: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeList"];
                };
            };
        };
    };
    chargeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChargeRequest"];
            };
        };
        responses: {
            /** @description A charge of a subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeOrder"];
                };
            };
        };
    };
    getCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
                /** @description Id of the charge: a UUID. */
                charge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A charge of a subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeOrder"];
                };
            };
        };
    };
    pauseSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A permission for repeated charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A permission for repeated charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    stopAutoCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A permission for repeated charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    listAutoCharges: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
                /** @description Filter: one of NEW, ACTIVE, PAUSED, ENDED. */
                status?: string;
                /** @description Filter: result of the latest attempt, one of CHARGING, PAID, RETRYING, FAILED. */
                result?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the calendar. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoChargeList"];
                };
            };
        };
    };
    getAutoChargeResults: {
        parameters: {
            query?: {
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Results of automatic charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoChargeResults"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance of the wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
                /** @description A UUID. */
                id?: string;
                /** @description One of CC, MB, MBWAY, PAYPAL, WALLET, SEPA, BANK. */
                method?: "CC" | "MB" | "MBWAY" | "PAYPAL" | "WALLET" | "SEPA" | "BANK";
                /** @description The last 4 digits of a card. You may omit leading zeros. */
                number4?: string;
                /** @description A phone number with + and country code; needs method MBWAY. */
                phone?: string;
                /** @description The merchant's transaction reference. */
                ext_invoiceid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
        };
    };
    createPayout: {
        parameters: {
            query?: {
                /** @description `true` for a preview that changes nothing. Default: `false`. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRequest"];
            };
        };
        responses: {
            /** @description A payment to the merchant's bank account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the payout: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A payment to the merchant's bank account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    getPayoutSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutSchedule"];
                };
            };
        };
    };
    setPayoutSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutScheduleRequest"];
            };
        };
        responses: {
            /** @description The payout schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutSchedule"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The movements on the account of a merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
        };
    };
    listStatementEntries: {
        parameters: {
            query?: {
                /** @description Value of `next` on the page before. */
                after?: string;
                /** @description Entries per page, from 1 to 100. Default: 100. More counts as 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A Lisbon day as yyyy-mm-dd. */
                day: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the entries of a day. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementEntries"];
                };
            };
        };
    };
    downloadStatement: {
        parameters: {
            query?: {
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
                /** @description Separator between cells: `comma` (default) or `semicolon`. `comma` writes decimals with a point. `semicolon` writes them with a comma, for spreadsheets in Portuguese. */
                separator?: "comma" | "semicolon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, in UTF-8. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listFees: {
        parameters: {
            query?: {
                /** @description First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`. */
                startdate?: string;
                /** @description Last day in Lisbon time (`yyyy-mm-dd`), inclusive. */
                enddate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fees of the gateway. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fees"];
                };
            };
        };
    };
    listMailKinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All kinds of mail with their switches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSwitchList"];
                };
            };
        };
    };
    setMailKind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Kind of mail: one of receipt, reference, reference_reminder, payment_link, charge_failed, card_expiring, refund, refund_page, dispute, payout, invitation, password. */
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailSwitchRequest"];
            };
        };
        responses: {
            /** @description A kind of mail with its switch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSwitch"];
                };
            };
        };
    };
    listMails: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description Filter: one or more of WAITING, SENT, REFUSED, GIVEN_UP, SKIPPED. */
                status?: ("WAITING" | "SENT" | "REFUSED" | "GIVEN_UP" | "SKIPPED")[];
                /** @description Filter: one or more of receipt, reference, reference_reminder, payment_link, charge_failed, card_expiring, refund, refund_page, dispute, payout, invitation, password. */
                kind?: ("receipt" | "reference" | "reference_reminder" | "payment_link" | "charge_failed" | "card_expiring" | "refund" | "refund_page" | "dispute" | "payout" | "invitation" | "password")[];
                /** @description Filter: id of the operation, charge, subscription or link. */
                subject_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of mails. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailList"];
                };
            };
        };
    };
    getMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the mail: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mail of your wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mail"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Page number. Default: 0, the first page. */
                offset?: number;
                /** @description Records per page, 1 to 30. Default: 10. Larger numbers count as 30. */
                limit?: number;
                /** @description Filter: any of these fields or the id, or the beginning of the name. */
                q?: string;
                /** @description Filter: your reference of the customer. */
                ext_customerid?: string;
                /** @description Filter: beginning of the name. Capitals and accents make no difference. */
                name?: string;
                /** @description Filter: e-mail address, in upper or lower case. */
                email?: string;
                /** @description Filter: phone number. */
                phone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopCustomerList"];
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerRequest"];
            };
        };
        responses: {
            /** @description A customer of your shop. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopCustomer"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the customer: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A customer of your shop. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopCustomer"];
                };
            };
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the customer: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Always true. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    changeCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the customer: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerChange"];
            };
        };
        responses: {
            /** @description A customer of your shop. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopCustomer"];
                };
            };
        };
    };
    listCustomerPaymentMethods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the customer: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All saved cards of a customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedPaymentMethodList"];
                };
            };
        };
    };
    deleteCustomerPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the customer: a UUID. */
                id: string;
                /** @description Id of the saved card: a UUID. */
                method: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Always true. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    getAuditHead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed end of the history of your wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditHead"];
                };
            };
        };
    };
    getButtonImage: {
        parameters: {
            query?: {
                /** @description Comma list of CC, MB, MBWAY, PAYPAL, WALLET, SEPA, BANK, drawn in this order. GPAY and APAY are ignored. */
                methods?: string;
                /** @description Colours of the button. */
                style?: "REGULAR" | "WHITE" | "LIGHT" | "DARK";
                /** @description Language of the text. */
                culture?: "PT" | "EN";
                /** @description Text of the button. */
                type?: "BUY" | "CONFIRM" | "CONTINUE" | "PAYMENT" | "PURCHASE";
                /** @description Format of the image. */
                format?: "svg" | "png";
                /** @description Pixels of a PNG per pixel of the page. An SVG is sharp at any size. */
                scale?: "1" | "2";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "image/png": string;
                };
            };
        };
    };
    verifyCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReceivedCallback"];
            };
        };
        responses: {
            /** @description The gateway sent this body. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
        };
    };
}
