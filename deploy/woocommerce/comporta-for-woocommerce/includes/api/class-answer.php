<?php
/**
 * Answer of the gateway, or no answer.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** One answer of the gateway's API. */
final class Answer {

	/** A request with the same request_id is in progress. */
	private const IN_FLIGHT = '10014';

	/**
	 * An answer.
	 *
	 * @param int          $status HTTP status; 0 without an answer.
	 * @param array<mixed> $body   Parsed JSON, numbers as text.
	 */
	public function __construct( public int $status, public array $body ) {}

	/** Whether the gateway did what was asked. */
	public function succeeded(): bool {
		return 200 === $this->status && array() !== $this->body;
	}

	/** Whether the outcome is unknown. Send the same request again to find out. */
	public function is_unclear(): bool {
		return 0 === $this->status || $this->status >= 500 || 408 === $this->status || 429 === $this->status
			|| self::IN_FLIGHT === $this->text( 'code' ) || ( 200 === $this->status && array() === $this->body );
	}

	/** A field of the answer as text; empty if it is missing. */
	public function text( string $field ): string {
		$value = $this->body[ $field ] ?? '';
		return is_string( $value ) ? $value : '';
	}

	/** Amount without sign, and currency, for people. */
	public function money(): string {
		$amount = ltrim( $this->text( 'amount' ), '-' );
		$cents  = Amount::cents( $amount );
		return ( null === $cents ? $amount : Amount::text( $cents ) ) . ' ' . $this->text( 'currency' );
	}

	/** Error text of the gateway, with the id in its log. */
	public function explanation(): string {
		if ( 0 === $this->status ) {
			return __( 'The payment gateway did not answer.', 'comporta-for-woocommerce' );
		}
		if ( '' === $this->text( 'message' ) ) {
			/* translators: %d: an HTTP status such as 502 */
			return sprintf( __( 'The payment gateway answered with status %d.', 'comporta-for-woocommerce' ), $this->status );
		}
		return sprintf( '%s: %s (%s, %s)', $this->text( 'message' ), $this->text( 'reason' ), $this->text( 'code' ), $this->text( 'tid' ) );
	}
}
