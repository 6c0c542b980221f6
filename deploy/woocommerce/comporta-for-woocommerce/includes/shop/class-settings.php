<?php
/**
 * Settings of the shop manager.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** The stored settings, and the form for them. */
final class Settings {

	/** Letters and digits of any language, dots and hyphens; or an address of IPv6. */
	private const HOST = '/^(?:[\p{L}\p{N}._-]+|\[[0-9a-f:.]+\])$/iuD';

	/** The settings as one value. */
	private function __construct(
		public string $address,
		public string $scheme,
		public string $api_key,
		private string $signing_secret,
		private string $previous_secret,
	) {}

	/** Reads the stored settings. */
	public static function load(): self {
		$stored = get_option( 'woocommerce_' . GATEWAY_ID . '_settings', array() );
		$text   = static fn( string $key, string $default = '' ): string => trim( (string) ( is_array( $stored ) ? $stored[ $key ] ?? $default : $default ) );
		return new self( $text( 'address' ), $text( 'scheme', 'Comporta' ), $text( 'api_key' ), $text( 'signing_secret' ), $text( 'previous_secret' ) );
	}

	/** Whether an address is safe for a key: only scheme, host and port, and https except on this machine. */
	public static function is_address( string $address ): bool {
		$parts  = wp_parse_url( $address );
		$host   = (string) ( $parts['host'] ?? '' );
		$scheme = (string) ( $parts['scheme'] ?? '' );
		$safe   = 'https' === $scheme || ( 'http' === $scheme && in_array( $host, array( 'localhost', '127.0.0.1' ), true ) );
		// Compares the parts: an address with a user, path or fragment differs.
		$plain = "$scheme://$host" . ( isset( $parts['port'] ) ? ":{$parts['port']}" : '' );
		return $safe && $address === $plain && 1 === preg_match( self::HOST, $host );
	}

	/** Whether the gateway can be called, and its callbacks verified. */
	public function is_complete(): bool {
		return '' !== $this->address && '' !== $this->api_key && '' !== $this->signing_secret;
	}

	/** Whether no real money moves. */
	public function is_test(): bool {
		return str_starts_with( $this->api_key, 'cmp_test_' );
	}

	/**
	 * Secrets that can sign callbacks.
	 *
	 * @return array<string>
	 */
	public function secrets(): array {
		return array_values( array_filter( array( $this->signing_secret, $this->previous_secret ) ) );
	}

	/**
	 * The form, as WooCommerce draws it.
	 *
	 * @return array<string,array<string,string>>
	 */
	public static function fields(): array {
		$callback = WC()->api_request_url( 'comporta_callback' );
		return array(
			'enabled'         => array(
				'title'   => __( 'Payments', 'comporta-for-woocommerce' ),
				'label'   => __( 'Offer Comporta to customers', 'comporta-for-woocommerce' ),
				'type'    => 'checkbox',
				'default' => 'no',
			),
			'title'           => array(
				'title'   => __( 'Title', 'comporta-for-woocommerce' ),
				'type'    => 'text',
				'default' => __( 'Card, MB WAY, Multibanco and more', 'comporta-for-woocommerce' ),
			),
			'description'     => array(
				'title'   => __( 'Description', 'comporta-for-woocommerce' ),
				'type'    => 'textarea',
				'default' => __( 'Choose how to pay on the next page.', 'comporta-for-woocommerce' ),
			),
			'address'         => array(
				'title'       => __( 'Address of the gateway', 'comporta-for-woocommerce' ),
				'type'        => 'text',
				'description' => __( 'Such as https://pay.example.com, without a path.', 'comporta-for-woocommerce' ),
			),
			'api_key'         => array(
				'title'       => __( 'API key', 'comporta-for-woocommerce' ),
				'type'        => 'password',
				'description' => __( 'API key of your merchant, with the permissions checkout, operations, refund and callbacks. It begins with cmp_live_, or with cmp_test_ in test mode.', 'comporta-for-woocommerce' ),
			),
			'signing_secret'  => array(
				'title'       => __( 'Signing secret', 'comporta-for-woocommerce' ),
				'type'        => 'password',
				/* translators: %s: an address of the shop */
				'description' => sprintf( __( 'Begins with whsec_. The gateway signs its callbacks with it. In the gateway, set the callback address to %s and switch on callbacks for your own requests.', 'comporta-for-woocommerce' ), $callback ),
			),
			'previous_secret' => array(
				'title'       => __( 'Previous signing secret', 'comporta-for-woocommerce' ),
				'type'        => 'password',
				'description' => __( 'Only while you change the secret: the shop accepts callbacks with either one. Otherwise empty.', 'comporta-for-woocommerce' ),
			),
			'scheme'          => array(
				'title'       => __( 'Authorization scheme', 'comporta-for-woocommerce' ),
				'type'        => 'text',
				'default'     => 'Comporta',
				'description' => __( 'Word before the API key in the header Authorization. The gateway lists the accepted words.', 'comporta-for-woocommerce' ),
			),
		);
	}
}
