<?php
/**
 * Actions of customers, shop managers and WordPress, one method each. Tests call them over HTTP.
 */

declare(strict_types=1);

final class Shop_Acts {

	/** A customer places an order, as far as its payment. */
	public function order( array $asked ): array {
		$order = new WC_Order();
		$facts = $asked + array(
			'status'             => 'pending',
			'total'              => '10.00',
			'currency'           => 'EUR',
			'order_key'          => 'wc_order_' . bin2hex( random_bytes( 6 ) ),
			'payment_method'     => 'comporta',
			'billing_first_name' => 'Ana',
			'billing_last_name'  => 'Silva',
			'billing_email'      => 'ana@example.com',
		);
		foreach ( $facts as $name => $value ) {
			$order->{"set_$name"}( $value );
		}
		return array( 'id' => $order->save() );
	}

	/** The customer presses "Place order". */
	public function pay( array $asked ): array {
		return shop_gateway()->process_payment( $asked['id'] ) + array( 'notices' => $GLOBALS['shop_notices'] );
	}

	/** The shop manager presses "Refund"; the page says how much was refunded when it was loaded. */
	public function refund( array $asked ): array {
		$order = wc_get_order( $asked['id'] );
		if ( isset( $asked['refunded'] ) && $asked['refunded'] !== $order->get_total_refunded() ) {
			return array( 'error' => 'Error processing refund. Please try again.' );
		}
		if ( isset( $asked['meanwhile'] ) ) {
			$other                     = json_encode( array( 'id' => $asked['id'], 'amount' => $asked['meanwhile'] ) );
			$GLOBALS['shop_meanwhile'] = static fn() => wp_remote_request( site_url( '/act/refund' ), array( 'method' => 'POST', 'headers' => array(), 'timeout' => 20, 'body' => $other ) );
		}
		$made = wc_create_refund(
			array(
				'order_id'       => $asked['id'],
				'amount'         => $asked['amount'],
				'reason'         => $asked['reason'] ?? '',
				'refund_payment' => true,
			)
		);
		return is_wp_error( $made ) ? array( 'error' => $made->get_error_message() ) : array( 'id' => $made->get_id() );
	}

	/** A refund that no gateway was asked for: by hand, or by a request that died before its answer. */
	public function leave( array $asked ): array {
		wc_create_refund(
			array(
				'order_id'       => $asked['id'],
				'amount'         => $asked['amount'],
				'reason'         => 'Damaged',
				'refund_payment' => false,
			)
		);
		return array();
	}

	/** The order, as the shop manager sees it. */
	public function show( array $asked ): array {
		$order = wc_get_order( $asked['id'] );
		return array(
			'status'         => $order->get_status(),
			'transaction'    => $order->get_transaction_id(),
			'link'           => shop_gateway()->get_transaction_url( $order ),
			'refundable'     => shop_gateway()->can_refund_order( $order ),
			'total_refunded' => $order->get_total_refunded(),
			'refunds'        => array_map( static fn( $refund ) => array( $refund->get_amount(), $refund->get_reason() ), $order->get_refunds() ),
			'notes'          => array_column( Shop_Store::rows( 'select note from notes where id = ? order by rowid', $asked['id'] ), 'note' ),
			'open_refund'    => $order->get_meta( '_comporta_open_refund' ),
			'attempt'        => $order->get_meta( '_comporta_attempt' ),
			'paid_times'     => count( Shop_Store::rows( "select 1 from log where level = 'paid' and line like ?", "{$asked['id']} %" ) ),
		);
	}

	/** Somebody changes properties of the order. */
	public function change( array $asked ): array {
		$order = wc_get_order( $asked['id'] );
		foreach ( $asked['set'] as $name => $value ) {
			$order->{"set_$name"}( $value );
		}
		$order->save();
		return array();
	}

	/** The shop manager saves the settings. */
	public function settings( array $asked ): array {
		foreach ( $asked as $name => $value ) {
			$_POST[ "woocommerce_comporta_$name" ] = $value;
		}
		$gateway = shop_gateway();
		$gateway->process_admin_options();
		return array(
			'errors'   => $GLOBALS['shop_errors'],
			'settings' => $gateway->settings,
		);
	}

	/** The shop manager cancels the order. */
	public function cancel( array $asked ): array {
		wc_get_order( $asked['id'] )->update_status( 'cancelled' );
		return array();
	}

	/** Sets an option of the shop. */
	public function option( array $asked ): array {
		update_option( $asked['name'], $asked['value'] );
		return array();
	}

	/** What customers and shop managers see of the payment method. */
	public function method(): array {
		$gateway = shop_gateway();
		ob_start();
		$gateway->admin_options();
		return array(
			'available'   => $gateway->is_available(),
			'title'       => $gateway->get_title(),
			'description' => $gateway->get_description(),
			'form'        => ob_get_clean(),
			'features'    => $GLOBALS['shop_features'],
		);
	}

	/** What the page after the order says. */
	public function thanks( array $asked ): array {
		ob_start();
		do_action( 'woocommerce_thankyou_comporta', $asked['id'] );
		$page = ob_get_clean();
		ob_start();
		do_action( 'woocommerce_email_before_order_table', wc_get_order( $asked['id'] ), false, true );
		return array(
			'page'  => $page,
			'email' => ob_get_clean(),
		);
	}

	/** What the block checkout reads. */
	public function blocks(): array {
		$registry = new class() {
			public ?object $method = null;
			public function register( object $method ): void {
				$this->method = $method;
			}
		};
		do_action( 'woocommerce_blocks_payment_method_type_registration', $registry );
		$registry->method->initialize();
		return array(
			'name'    => $registry->method->get_name(),
			'active'  => $registry->method->is_active(),
			'scripts' => $registry->method->get_payment_method_script_handles(),
			'data'    => $registry->method->get_payment_method_data(),
		);
	}

	/** An amount as the plugin reads and writes it. */
	public function amount( array $asked ): array {
		$cents = Comporta\WooCommerce\Amount::cents( $asked['amount'] );
		return array(
			'cents' => $cents,
			'text'  => null === $cents ? null : Comporta\WooCommerce\Amount::text( $cents ),
		);
	}

	/** WordPress runs what is due. */
	public function run( array $asked ): array {
		do_action( $asked['hook'] );
		return array( 'scheduled' => wp_next_scheduled( 'comporta_catch_up' ) );
	}

	/** Time passes for the refund whose end is not known. */
	public function wait( array $asked ): array {
		$order           = wc_get_order( $asked['id'] );
		$open            = $order->get_meta( '_comporta_open_refund' );
		$open['sent_at'] = (string) ( (int) $open['sent_at'] - $asked['seconds'] );
		$order->update_meta_data( '_comporta_open_refund', $open );
		$order->save();
		return array();
	}

	/** For comporta exam: a new order, and the address of its checkout. */
	public function buy(): array {
		$paid = $this->pay( $this->order( array() ) );
		return array( 'url_redirect' => $paid['redirect'] );
	}

	/** For comporta exam: what the orders say of each payment. */
	public function state(): array {
		$statuses   = array(
			'processing' => 'COMPLETED',
			'refunded'   => 'COMPLETED',
			'on-hold'    => 'PENDING',
			'failed'     => 'FAIL',
		);
		$operations = array();
		foreach ( Shop_Store::rows( 'select id from orders where parent = 0' ) as $row ) {
			$order = wc_get_order( $row['id'] );
			$id    = $order->get_meta( '_comporta_attempt' )['operation_id'] ?? null;
			if ( null !== $id ) {
				$operations[ $id ] = array(
					'status'   => $statuses[ $order->get_status() ] ?? 'NEW',
					'amount'   => $order->get_total(),
					'refunded' => $order->get_total_refunded(),
				);
			}
		}
		return array( 'operations' => (object) $operations );
	}

	/** For comporta exam: WordPress runs what is due each hour. */
	public function resync(): array {
		do_action( 'comporta_catch_up' );
		return array();
	}

	/** Everything that was logged or stored about the shop. */
	public function log(): array {
		return array_map( static fn( $row ) => "{$row['level']}: {$row['line']}", Shop_Store::rows( 'select level, line from log' ) );
	}
}
