<?php
/**
 * Bank reference on the order page and in the e-mail.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use WC_Order;

defined( 'ABSPATH' ) || exit;

/** Instructions to pay a waiting order. */
final class Instructions {

	/** Registers the hooks of WooCommerce. */
	public static function register(): void {
		add_action( 'woocommerce_thankyou_' . GATEWAY_ID, array( self::class, 'on_page' ) );
		add_action( 'woocommerce_email_before_order_table', array( self::class, 'in_email' ), 10, 3 );
	}

	/** On the page after the order. */
	public static function on_page( int $order_id ): void {
		$order = wc_get_order( $order_id );
		if ( $order instanceof WC_Order ) {
			echo wp_kses_post( self::html_of( $order ) );
		}
	}

	/** In the customer's e-mail. */
	public static function in_email( WC_Order $order, bool $sent_to_admin, bool $plain_text ): void {
		if ( ! $sent_to_admin ) {
			echo $plain_text ? esc_html( wp_strip_all_tags( self::html_of( $order ) ) ) : wp_kses_post( self::html_of( $order ) );
		}
	}

	/** Empty if no payment is due. */
	private static function html_of( WC_Order $order ): string {
		$reference = Order_Record::of( $order )->reference();
		if ( ! $order->has_status( 'on-hold' ) || array() === $reference ) {
			return '';
		}
		/* translators: 1: entity, 2: reference, 3: amount and currency */
		$text = __( 'Pay at an ATM or in your home banking: entity %1$s, reference %2$s, amount %3$s.', 'comporta-for-woocommerce' );
		return '<p>' . esc_html( sprintf( $text, $reference['entity'], $reference['ref'], $reference['amount'] ) ) . '</p>';
	}
}
