<?php
/**
 * Comporta among the payment methods of WooCommerce.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use WC_Order;

defined( 'ABSPATH' ) || exit;

/** The payment method: its settings, its payment and its refund. */
final class Gateway extends \WC_Payment_Gateway {

	/** A payment by Multibanco reference cannot be refunded through the gateway. */
	private const NOT_REFUNDABLE = 'MB';

	/** Reads the settings. */
	public function __construct() {
		$this->id                 = GATEWAY_ID;
		$this->has_fields         = false;
		$this->method_title       = 'Comporta';
		$this->method_description = __( 'Customers pay on a page of your payment gateway, by card, MB WAY, Multibanco or another method.', 'comporta-for-woocommerce' );
		$this->supports           = array( 'products', 'refunds' );
		$this->form_fields        = Settings::fields();
		$this->init_settings();
		$this->title       = (string) $this->get_option( 'title' );
		$this->description = (string) $this->get_option( 'description' );
		add_action( "woocommerce_update_options_payment_gateways_{$this->id}", array( $this, 'process_admin_options' ) );
	}

	/** Whether customers can use it. */
	public function is_available() {
		return parent::is_available() && ! $this->needs_setup() && Checkout_Body::CURRENCY === get_woocommerce_currency();
	}

	/** Whether settings are missing. */
	public function needs_setup() {
		return ! Settings::load()->is_complete();
	}

	/** Description for customers; in test mode with the test card. */
	public function get_description() {
		$hint = Settings::load()->is_test()
			? ' ' . __( 'Test mode: no real money moves. Card 4176 6600 0000 0027, any future date, any code.', 'comporta-for-woocommerce' )
			: '';
		return parent::get_description() . $hint;
	}

	/** Shows the form, with the problems of the current settings. */
	public function admin_options() {
		if ( Checkout_Body::CURRENCY !== get_woocommerce_currency() ) {
			/* translators: 1: currency of the shop, 2: the currency that is supported */
			$text = sprintf( __( 'The shop sells in %1$s. Comporta accepts only %2$s, so customers do not see it.', 'comporta-for-woocommerce' ), get_woocommerce_currency(), Checkout_Body::CURRENCY );
			echo '<div class="notice notice-error inline"><p>' . esc_html( $text ) . '</p></div>';
		}
		parent::admin_options();
	}

	/** Saves the form, and calls the gateway to test the key. */
	public function process_admin_options() {
		$saved = parent::process_admin_options();
		if ( array() === $this->get_errors() && ! $this->needs_setup() ) {
			$answer = Api::of_settings()->get( '/api/v2/wallets/methods' );
			if ( ! $answer->succeeded() ) {
				/* translators: %s: what was wrong */
				$this->add_error( sprintf( __( 'The settings are saved but do not work yet. %s', 'comporta-for-woocommerce' ), $answer->explanation() ) );
			}
		}
		return $saved;
	}

	/** Shows a message above the form. */
	public function add_error( $error ) {
		parent::add_error( $error );
		\WC_Admin_Settings::add_error( $error );
	}

	/** The payment in the gateway's backoffice. */
	public function get_transaction_url( $order ) {
		$wallet                     = (string) $order->get_meta( '_comporta_wallet' );
		$this->view_transaction_url = '' === $wallet ? '' : Settings::load()->address . "/backoffice/wallets/$wallet/payments/%s";
		return parent::get_transaction_url( $order );
	}

	/**
	 * Validates an address that is safe for a key.
	 *
	 * @throws \Exception With a text for the shop manager.
	 */
	public function validate_address_field( $key, $value ) {
		$address = rtrim( trim( (string) $value ), '/' );
		if ( '' !== $address && ! Settings::is_address( $address ) ) {
			throw new \Exception( __( 'Address of the gateway: enter it as https://pay.example.com or https://pay.example.com:8443, without path, user or spaces. http works only for localhost.', 'comporta-for-woocommerce' ) );
		}
		return $address;
	}

	/** @throws \Exception With a text for the shop manager. */
	public function validate_api_key_field( $key, $value ) {
		return self::matching( $value, '/^cmp_(test|live)_\w+$/D', __( 'API key: it must begin with cmp_live_ or cmp_test_. Copy the whole key.', 'comporta-for-woocommerce' ) );
	}

	/** @throws \Exception With a text for the shop manager. */
	public function validate_signing_secret_field( $key, $value ) {
		return self::secret( $value );
	}

	/** @throws \Exception With a text for the shop manager. */
	public function validate_previous_secret_field( $key, $value ) {
		return self::secret( $value );
	}

	/** Creates the checkout, and returns its address. */
	public function process_payment( $order_id ) {
		try {
			$address = Order_Lock::hold( (int) $order_id, static fn(): string => self::address_for( (int) $order_id ) );
		} catch ( \RuntimeException $busy ) {
			wc_add_notice( $busy->getMessage(), 'error' );
			return array( 'result' => 'failure' );
		}
		return array(
			'result'   => 'success',
			'redirect' => $address,
		);
	}

	/** Refunds: true, or an error. */
	public function process_refund( $order_id, $amount = null, $reason = '' ) {
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof WC_Order ) {
			return false;
		}
		$seen = Order_Record::of( $order );
		try {
			return Order_Lock::hold(
				(int) $order_id,
				static function () use ( $order_id, $seen, $amount, $reason ) {
					$record = Order_Record::read( (int) $order_id );
					$api    = Api::of_settings();
					return null === $record ? false : ( new Refunds( $api, new Refund_Notes( $api ) ) )->give_back( $seen, $record, $amount, (string) $reason );
				}
			);
		} catch ( Order_Busy $busy ) {
			return new \WP_Error( 'comporta_refund', $busy->getMessage() );
		}
	}

	/** Whether the order page offers to refund through the gateway. */
	public function can_refund_order( $order ) {
		return $order instanceof WC_Order && parent::can_refund_order( $order ) && '' !== $order->get_transaction_id()
			&& self::NOT_REFUNDABLE !== $order->get_meta( '_comporta_method' );
	}

	/**
	 * Hold the order's lock. The reason of a failure is a note on the order. The customer does not see it.
	 *
	 * @throws \RuntimeException With a text for customers.
	 */
	private static function address_for( int $order_id ): string {
		$record = Order_Record::read( $order_id );
		$api    = Api::of_settings();
		try {
			return ( new Checkouts( $api, new Payments( $api ) ) )->address_for( $record ?? throw new \DomainException( 'There is no such order.' ) );
		} catch ( \DomainException $problem ) {
			$record?->order->add_order_note( 'Comporta: ' . $problem->getMessage() );
			wc_get_logger()->error( "Order $order_id: {$problem->getMessage()}", LOG_SOURCE );
			throw new \RuntimeException( __( 'The payment could not be started. Try again in a minute, or choose another way to pay.', 'comporta-for-woocommerce' ) );
		}
	}

	/** Validates a signing secret; it can be empty. */
	private static function secret( mixed $value ): string {
		$secret = trim( (string) $value );
		if ( '' !== $secret && null === Signature::key( $secret ) ) {
			throw new \Exception( __( 'Signing secret: it must begin with whsec_. Copy the whole secret.', 'comporta-for-woocommerce' ) );
		}
		return $secret;
	}

	/** Validates a text of the form; it can be empty. */
	private static function matching( mixed $value, string $pattern, string $else ): string {
		$text = trim( (string) $value );
		if ( '' !== $text && 1 !== preg_match( $pattern, $text ) ) {
			throw new \Exception( $else );
		}
		return $text;
	}
}
